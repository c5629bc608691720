import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { reportOnce } from './report-once.ts'
import { imitatePopovers } from './ui/popovers.ts'
import './styles/global.css'
import './styles/toasts.css'

/** Hydrates the prerendered document. A dynamic import and pauses split the work, which would be one long task otherwise. */
export async function hydrate() {
  imitatePopovers()
  const { createApp } = await import('./app.tsx')
  await nextTask()
  const app = <StrictMode>{createApp()}</StrictMode>
  await nextTask()
  const root = document.getElementById('root') as HTMLElement
  // A transition hydrates in slices, so that the page stays responsive.
  const report = { onRecoverableError: reportOnce, onCaughtError: reportOnce }
  if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app, report))
  else createRoot(root, report).render(app)
  linkManifest()
}

/** Lets the page respond to input between two slow steps. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Links the manifest now: if the document linked it, the browser would fetch it before the first paint. */
function linkManifest() {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }),
  )
}
