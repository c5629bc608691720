import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './styles/global.css'
import toastStyle from './styles/toasts.css?inline'

/** Takes over the document that is already there. The application is a script, and so a task, apart from React. */
export async function hydrate() {
  const { createApp } = await import('./app.tsx')
  await nextTask()
  const app = <StrictMode>{createApp()}</StrictMode>
  await nextTask()
  const root = document.getElementById('root') as HTMLElement
  // A transition hydrates in slices: the page answers to touch in between.
  if (root.firstElementChild) startTransition(() => void hydrateRoot(root, app))
  else createRoot(root).render(app)
  adoptToastStyle()
  linkManifest()
}

/** Between two steps that are long on a slow phone: the page answers to touch in between. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** There are toasts only with a script: in the document their style would hold up the first paint. */
function adoptToastStyle() {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(toastStyle)
  document.adoptedStyleSheets.push(sheet)
}

/** Not in the document: the browser would fetch it before the first paint, and nobody needs it that early. */
function linkManifest() {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'manifest', href: '/site.webmanifest' }),
  )
}
