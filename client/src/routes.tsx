import { Outlet, type RouteObject } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { Home } from './pages/home.tsx'
import { KeepPage } from './pages/keep-page.tsx'
import { NotFound } from './pages/not-found.tsx'
import { Privacy } from './pages/privacy.tsx'
import { ProvideOfficeStatus } from './ui/office-hours.tsx'

/** There is no error element: if there is no prerendered page to keep, the router's default view shows the error. */
export const routes: RouteObject[] = [
  {
    element: (
      <KeepPage>
        <ProvideOfficeStatus>
          <Outlet />
        </ProvideOfficeStatus>
      </KeepPage>
    ),
    children: [
      { path: pages.home, element: <Home /> },
      { path: pages.privacy, element: <Privacy /> },
      { path: '*', element: <NotFound /> },
    ],
  },
]
