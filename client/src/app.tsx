import { StrictMode } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { reportOnce } from './report-once.ts'
import { routes } from './routes.tsx'

/** Creates the router, which takes a while on a slow phone. */
export const createApp = () => (
  <StrictMode>
    <RouterProvider router={createBrowserRouter(routes)} onError={reportOnce} />
  </StrictMode>
)
