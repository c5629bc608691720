import './styles/inbox.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { reportOnce } from '../report-once.ts'
import { imitatePopovers } from '../ui/popovers.ts'
import { watchUse } from './data/api.ts'
import { listQuery, queryClient, sessionQuery, summaryQuery } from './data/queries.ts'
import { guardUploads } from './data/uploads.ts'
import { keepFonts, showFonts } from './fonts.ts'
import { viewIn } from './list/use-list.ts'
import { checkSubscription, onTappedMessage } from './push/push.ts'
import { routes } from './routes.tsx'

// If the server is slower than this, the page says so.
const PATIENCE_MS = 4_000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Replaces the document's first content, which may be the first rows
 * of the list, once there is something to show.
 */
async function start() {
  imitatePopovers()
  watchUse()
  guardUploads()
  // A file that is dropped beside a sheet must not replace the page.
  for (const type of ['dragover', 'drop'] as const)
    addEventListener(type, (event) => event.dataTransfer?.types.includes('Files') && event.preventDefault())
  const router = createBrowserRouter(routes)
  onTappedMessage((url) => void router.navigate(url))
  const { pathname, search } = router.state.location
  const signedIn = queryClient.prefetchQuery(sessionQuery)
  const first = [signedIn, queryClient.prefetchQuery(summaryQuery)]
  // For the list, the first script has shown the fonts.
  if (pathname !== inboxPath) first.push(showFonts().catch(() => {}))
  else first.push(queryClient.prefetchInfiniteQuery(listQuery(viewIn(new URLSearchParams(search)))))
  void signedIn.then(checkSubscription)
  await Promise.race([Promise.all(first), wait(PATIENCE_MS)])
  const root = document.getElementById('root')
  if (!root) return
  createRoot(root, { onCaughtError: reportOnce }).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} onError={reportOnce} />
      </QueryClientProvider>
    </StrictMode>,
  )
  await keepFonts()
}

void start()
