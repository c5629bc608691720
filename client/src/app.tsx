import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { routes } from './routes.tsx'

export const createApp = () => <RouterProvider router={createBrowserRouter(routes)} />
