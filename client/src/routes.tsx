import type { RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { NotFound } from './pages/not-found.tsx'

/** No custom error element: the specification asks for the router's default one. */
export const routes: RouteObject[] = [
  { path: pages.home, element: <Home /> },
  { path: '*', element: <NotFound /> },
]
