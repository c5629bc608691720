// First, so that its styles are the beginning of the style sheet: see client/build.ts.
import './first-view.ts'
import { StrictMode } from 'react'
import { createBrowserRouter, Outlet, type RouteObject, RouterProvider, useMatch } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { KeepPage } from './pages/keep-page.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Privacy } from './pages/privacy.tsx'
import { Footer } from './sections/footer/footer.tsx'
import { Header } from './sections/header/header.tsx'

/** What every page has. */
function Frame() {
  const anchorBase = useMatch(pages.home) ? '' : pages.home
  return (
    <KeepPage>
      <Header anchorBase={anchorBase} />
      <Outlet />
      <Footer anchorBase={anchorBase} />
    </KeepPage>
  )
}

/**
 * There is no error element: if there is no prerendered page to keep, the router's default view
 * shows the error.
 */
export const pageRoutes: RouteObject[] = [
  {
    element: <Frame />,
    children: [
      { path: pages.home, element: <Home /> },
      { path: pages.privacy, element: <Privacy /> },
      { path: '*', element: <NotFound /> },
    ],
  },
]

/** Creates the router, which takes a while on a slow phone. */
export const createPageApp = () => (
  <StrictMode>
    <RouterProvider router={createBrowserRouter(pageRoutes)} />
  </StrictMode>
)
