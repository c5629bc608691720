import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { reportOnce } from '../report-once.ts'
import { watchUse } from './data/in-use.ts'
import { queryClient } from './data/query-client.ts'
import { createAppElement } from './frame/app-element.ts'
import { routes } from './routes.tsx'
import './styles/inbox.css'
import { imitatePopovers } from '../ui/popovers.ts'
import { switchToWebFonts } from './web-fonts.ts'

imitatePopovers()
watchUse()
createRoot(createAppElement(), { onCaughtError: reportOnce }).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createBrowserRouter(routes)} onError={reportOnce} />
    </QueryClientProvider>
  </StrictMode>,
)
void switchToWebFonts()
