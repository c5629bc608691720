import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { reportOnce } from './report-once.ts'
import { routes } from './routes.tsx'
import { ProvideIsHydrating } from './ui/is-hydrating.tsx'

export const createApp = () => (
  <ProvideIsHydrating>
    <RouterProvider router={createBrowserRouter(routes)} onError={reportOnce} />
  </ProvideIsHydrating>
)
