import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { keys, queryClient } from '../data/queries.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const answer = (queuedAt: string, response: string) => ({
  kind: 'answer',
  recipient: 'ada@example.com',
  state: 'sent' as const,
  queuedAt,
  attempts: [{ at: queuedAt, outcome: 'deferred', response }],
})

test('a lead says what the mail server has said about the answer that is stuck', async () => {
  vi.stubGlobal('location', { hash: '' })
  const { LeadPage } = await import('./lead-page.tsx')
  const { SessionGate } = await import('../frame/session.tsx')
  const lead: Partial<LeadDetail> = {
    reference: 'Q-1',
    name: 'Ada',
    stuckSince: '2026-03-04T15:00:00.000Z',
    emails: [
      answer('2026-03-02T15:00:00.000Z', '250 accepted'),
      answer('2026-03-04T15:00:00.000Z', '451 later'),
    ],
    events: [],
    others: [],
    senders: [],
    source: {},
    spamReasons: [],
    state: 'answered',
    receivedAt: '2026-03-01T15:00:00.000Z',
    dueAt: '2026-03-02T15:00:00.000Z',
    email: 'ada@example.com',
    phone: '',
    budget: '',
    message: '',
  }
  queryClient.setQueryData(keys.session, { owner: 'anna@agency.example', endsAt: '2100-01-01T00:00:00.000Z' })
  queryClient.setQueryData(keys.lead('Q-1'), lead)

  const page = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/Q-1']}>
        <SessionGate>
          <Routes>
            <Route path=":reference" element={<LeadPage />} />
          </Routes>
        </SessionGate>
      </MemoryRouter>
    </QueryClientProvider>,
  )

  expect(page).toContain('The mail server said: 451 later.')
})
