import type { RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'

/** No error element of our own: the specification wants the router's default view. */
export const routes: RouteObject[] = [
  { path: pages.home, element: <Home /> },
  { path: '*', element: <NotFound /> },
]
