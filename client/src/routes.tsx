import type { RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'

/** Without an error element here, the router shows unexpected errors in its default error view. */
export const routes: RouteObject[] = [
  { path: pages.home, element: <Home /> },
  { path: '*', element: <NotFound /> },
]
