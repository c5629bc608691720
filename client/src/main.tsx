import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './styles/global.css'

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
  linkLate({ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' })
  linkLate({ rel: 'manifest', href: '/site.webmanifest' })
}

/** Between two steps that are long on a slow phone: the page answers to touch in between. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/**
 * Not in the document: the browser would fetch it before the first paint, and nobody needs it that early. Without a
 * script the icon is the one that browsers ask for by themselves, `/favicon.ico`.
 */
function linkLate(attributes: { rel: string; href: string; type?: string }) {
  document.head.append(Object.assign(document.createElement('link'), attributes))
}
