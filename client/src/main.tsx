// First, so that the components' styles override these.
import './styles/global.css'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { reportOnce } from './report-once.ts'
import { imitatePopovers } from './ui/popovers.ts'

imitatePopovers()
void start()

/** The dynamic import and the pauses split the work, which would be one long task otherwise. */
async function start() {
  const { createPageApp } = await import('./app.tsx')
  await nextTask()
  const app = createPageApp()
  await nextTask()
  const root = document.getElementById('root') as HTMLElement
  const report = { onRecoverableError: reportOnce, onCaughtError: reportOnce }
  // A transition hydrates in slices, so that the page stays responsive. In development, nothing is
  // prerendered.
  if (import.meta.env.DEV) createRoot(root, report).render(app)
  else startTransition(() => void hydrateRoot(root, app, report))
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))
