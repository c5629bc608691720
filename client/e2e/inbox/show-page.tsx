import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { afterAll, afterEach, beforeEach, vi } from 'vitest'
import type { LeadDetail, LeadEmail, LeadEvent } from '#shared/inbox/lead.ts'
import { keys, queryClient } from '../../src/inbox/data/queries.ts'

// What follows reads these when it is loaded. After the query client, which would begin timers if
// there were a window.
const stubGlobals = () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('window', { isSecureContext: false, PublicKeyCredential: {} })
}
stubGlobals()
const { SessionGate } = await import('../../src/inbox/frame/session.tsx')

/**
 * Signs Anna in, at a fixed time. Call it at the top of a test file, before the pages are loaded.
 */
export function useAnna() {
  stubGlobals()
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-03-04T15:00Z'), toFake: ['Date'] })
    queryClient.setQueryData(keys.session, {
      id: 'mine',
      owner: 'anna@agency.example',
      canUsePasskeys: false,
    })
  })
  afterEach(() => {
    queryClient.clear()
    vi.useRealTimers()
  })
  afterAll(() => vi.unstubAllGlobals())
}

/** What Anna sees of a page: as HTML, and as text, in which | stands between two elements. */
export function show(page: ReactNode, path = '/Q-1') {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        <SessionGate>
          <Routes>
            <Route path=":reference?" element={page} />
          </Routes>
        </SessionGate>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const text = html.replace(/<\/?(bdi|span|wbr)\b[^>]*>/g, '').replace(/(<[^>]+>)+/g, '|')
  return { html, text: text.replaceAll('&#x27;', "'") }
}

export const allIn = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, part]) => part)
export const buttonsIn = (html: string) =>
  allIn(html.replace(/<!-- -->|<\/?span>/g, ''), /<button[^>]*>([^<]+)</g)

/** A lead with as little as the pages need. */
export const lead = {
  reference: 'Q-1',
  name: 'Ada Lovelace',
  email: 'Ada@example.com',
  phone: '',
  website: '',
  budget: '',
  message: 'Hello!',
  words: 'Hello!',
  files: [] as string[],
  company: '',
  state: 'open',
  result: null,
  unread: 0,
  receivedAt: '2026-03-03T15:00:00.000Z',
  dueAt: '2026-03-05T15:00:00.000Z',
  spamReasons: [] as string[],
  source: {},
  events: [] as LeadEvent[],
  readUpTo: 9,
  senders: [] as LeadDetail['senders'],
  emails: [] as LeadEmail[],
  others: [] as LeadDetail['others'],
} as LeadDetail

export const event = (changes: Partial<LeadEvent>) =>
  ({
    id: 1,
    at: '2026-03-04T10:00:00.000Z',
    who: 'ada@example.com',
    what: 'reply',
    attachments: [],
    ...changes,
  }) as unknown as LeadEvent

export const email = (
  changes: Partial<LeadEmail>,
  response = '250 accepted',
  at = '2026-03-04T09:00:00.000Z',
) => ({
  kind: 'answer',
  recipient: 'ada@example.com',
  state: 'sent' as const,
  about: null,
  queuedAt: '2026-03-04T08:00:00.000Z',
  attempts: [{ at, outcome: 'deferred', response }],
  ...changes,
})

export const today = '2026-03-04T14:00:00.000Z'
export const tomorrow = '2026-03-05T15:00:00.000Z'
