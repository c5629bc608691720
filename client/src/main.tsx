// First, so that the components' styles override these.
import './styles/global.css'
import './styles/toasts.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { reportOnce } from './report-once.ts'
import { routes } from './routes.tsx'
import { imitatePopovers } from './ui/popovers.ts'

imitatePopovers()
const app = (
  <StrictMode>
    <RouterProvider router={createBrowserRouter(routes)} onError={reportOnce} />
  </StrictMode>
)
const root = document.getElementById('root') as HTMLElement
const report = { onRecoverableError: reportOnce, onCaughtError: reportOnce }
// A transition hydrates in slices, so that the page stays responsive. In development, nothing is prerendered.
if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app, report))
else createRoot(root, report).render(app)
