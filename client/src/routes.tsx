import type { RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Privacy } from './pages/privacy.tsx'

/** There is no error element: the router's default view shows unexpected errors. */
export const routes: RouteObject[] = [
  { path: pages.home, element: <Home /> },
  { path: pages.privacy, element: <Privacy /> },
  { path: '*', element: <NotFound /> },
]
