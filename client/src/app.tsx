import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { routes } from './routes.tsx'

/** The application, at the address that the browser shows. */
export const createApp = () => <RouterProvider router={createBrowserRouter(routes)} />
