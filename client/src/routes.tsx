import type { RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'

/** No error element: the router's own one shows unexpected errors. */
export const routes: RouteObject[] = [
  { path: pages.home, element: <Home /> },
  { path: '*', element: <NotFound /> },
]
