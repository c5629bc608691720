import { Navigate, type RouteObject } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { Frame } from './frame/frame.tsx'
import { FailedPage, NoSuchPage, Opening } from './frame/other-pages.tsx'
import { OpenLead } from './lead/lead-page.tsx'
import { LeadsPage, NoLead } from './list/leads-page.tsx'

/** The scripts of the Figures and Access pages are loaded only when these pages are opened. */
export const routes: RouteObject[] = [
  {
    path: inboxPath,
    element: <Frame />,
    hydrateFallbackElement: <Opening />,
    // Errors of a page leave the frame in place.
    errorElement: <FailedPage />,
    children: [
      {
        errorElement: <FailedPage />,
        children: [
          { path: 'sign-in', element: <Navigate to={inboxPath} replace /> },
          {
            path: 'figures',
            lazy: async () => ({ Component: (await import('./figures/figures-page.tsx')).FiguresPage }),
          },
          {
            path: 'access',
            lazy: async () => ({ Component: (await import('./access/access-page.tsx')).AccessPage }),
          },
          {
            element: <LeadsPage />,
            children: [
              { index: true, element: <NoLead /> },
              { path: ':reference', element: <OpenLead /> },
            ],
          },
          { path: '*', element: <NoSuchPage /> },
        ],
      },
    ],
  },
]
