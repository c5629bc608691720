import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { routes } from './routes.tsx'

/** The application, over the document that is already there. */
const root = document.getElementById('root') as HTMLElement
const app = (
  <StrictMode>
    <RouterProvider router={createBrowserRouter(routes)} />
  </StrictMode>
)

// A transition hydrates in slices: the page answers to touch in between.
if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app))
else createRoot(root).render(app)

// Not in the document: the browser would fetch it before the first paint, and nobody needs it that early.
const manifest = document.createElement('link')
manifest.rel = 'manifest'
manifest.href = '/site.webmanifest'
document.head.append(manifest)
