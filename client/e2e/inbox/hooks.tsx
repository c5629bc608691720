import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { anything, callApi, serverNow } from '../../src/inbox/data/api.ts'
import { usePending } from '../../src/inbox/data/pending.ts'
import { keys, queryClient } from '../../src/inbox/data/queries.ts'
import type { Notice } from '../../src/inbox/frame/notices.tsx'

// What follows reads these when it is loaded. After the query client, which would begin timers if
// there were a window.
const stubGlobals = () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('window', { isSecureContext: true })
  // Every setting is off.
  vi.stubGlobal('localStorage', { getItem: () => 'off' })
}
stubGlobals()
const { NotifyContext } = await import('../../src/inbox/frame/notices.tsx')
const { SessionGate } = await import('../../src/inbox/frame/session.tsx')

type Sent = { path: string; method: string; body: object }
type Response = [status: number, body: object, headers?: Record<string, string>]

/** Makes the server's clock that of the device again: other tests in this process share it. */
export async function followDeviceClock(): Promise<void> {
  const headers = { Date: new Date().toUTCString() }
  vi.stubGlobal('fetch', async () => new Response('{}', { headers }))
  await callApi('/summary', anything)
}

/**
 * Renders hooks of the inbox without a browser. Call it at the top of a test file, before what it
 * tests is loaded.
 */
export function useInboxPage() {
  stubGlobals()
  let notices: Notice[]
  let sent: Sent[]
  let responses: Response[]

  beforeEach(() => {
    vi.useFakeTimers()
    stubGlobals()
    notices = []
    sent = []
    responses = []
    vi.stubGlobal('fetch', respond)
    const owner = 'anna@agency.example'
    // Other tests in this process may have set the server's clock.
    const signedInAt = new Date(serverNow()).toJSON()
    queryClient.setQueryData(keys.session, { owner, signedInAt })
  })
  afterEach(() => {
    queryClient.clear()
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  // Reading a real response takes time that no fake clock knows. Without a response, the connection
  // fails.
  async function respond(path: string, { method, body = '{}' }: { method: string; body?: string }) {
    sent.push({ path, method, body: JSON.parse(body) })
    await new Promise((done) => setTimeout(done, 10))
    const [status, json, headers] = responses.shift() ?? [0, {}]
    if (status === 0) throw new TypeError('Failed to fetch')
    const text = async () => JSON.stringify(json)
    return { status, ok: status < 300, headers: new Headers(headers), text }
  }

  /** What a hook returns on a page of the inbox, which collects its notices. */
  function use<Result>(hook: () => Result): Result {
    const results: Result[] = []
    const Page = () => {
      results.push(hook())
      return null
    }
    renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <NotifyContext value={(notice) => notices.push(notice)}>
          <MemoryRouter>
            <SessionGate>
              <Routes>
                <Route element={<Outlet context={[]} />}>
                  <Route index element={<Page />} />
                </Route>
              </Routes>
            </SessionGate>
          </MemoryRouter>
        </NotifyContext>
      </QueryClientProvider>,
    )
    return results[0] as Result
  }

  /** The latest notice, once all attempts have ended. */
  async function ended() {
    await vi.advanceTimersByTimeAsync(60_000)
    const { kind, ...notice } = notices.at(-1) ?? { kind: undefined }
    return { kind, text: '', undo: undefined, retry: undefined, ...notice }
  }

  return {
    use,
    ended,
    sent: () => sent,
    /** The next requests get these responses. */
    respondWith: (...next: Response[]) => {
      responses = next
    },
    /** The lead as the page shows it now. */
    shown(reference: string) {
      const lead = storedLead(reference)
      return lead && use(usePending)(lead)
    },
  }
}

/** A lead with as little as these tests need. */
export const fewFields = (reference: string, changes: Partial<LeadDetail> = {}) => {
  const name = reference === 'Q-1' ? 'Ada' : 'Ben'
  const known = { reference, name, state: 'open', isSuspect: false, version: 3, trouble: null }
  return { ...known, ...changes } as LeadDetail
}

/** The lead as it was last fetched. */
export const storedLead = (reference: string) => queryClient.getQueryData<LeadDetail>(keys.lead(reference))

/**
 * Shows these leads, and a read of the first that began before a change.
 * Ends that read when the result is called.
 */
export function showLeads(...leads: LeadDetail[]) {
  for (const one of leads) queryClient.setQueryData(keys.lead(one.reference), one)
  let endRead = () => {}
  const queryFn = () =>
    new Promise((resolve) => {
      endRead = () => resolve(leads[0])
    })
  queryClient.fetchQuery({ queryKey: keys.lead('Q-1'), queryFn, staleTime: 0 }).catch(() => {})
  return () => endRead()
}
