import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './styles/global.css'
import toastStyle from './styles/toasts.css?inline'

/** Hydrates the prerendered document. A dynamic import and pauses split the work, which would be one long task otherwise. */
export async function hydrate() {
  const { createApp } = await import('./app.tsx')
  await nextTask()
  const app = <StrictMode>{createApp()}</StrictMode>
  await nextTask()
  const root = document.getElementById('root') as HTMLElement
  // A transition hydrates in slices, so that the page stays responsive.
  if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
  adoptToastStyle()
  linkManifest()
}

/** Lets the page respond to input between two slow steps. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Adds the toast styles now: in the document, they would delay the first paint. Toasts need JavaScript anyway. */
function adoptToastStyle() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(toastStyle)
  document.adoptedStyleSheets.push(sheet)
}

/** Links the manifest now: if the document linked it, the browser would fetch it before the first paint. */
function linkManifest() {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }),
  )
}
