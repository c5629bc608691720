import { StrictMode } from 'react'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { reportOnce } from './report-once.ts'
import { routes } from './routes.tsx'

export const app = (
  <StrictMode>
    <RouterProvider router={createBrowserRouter(routes)} onError={reportOnce} />
  </StrictMode>
)
