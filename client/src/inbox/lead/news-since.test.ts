import { expect, test, vi } from 'vitest'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import { followDeviceClock } from '../../../e2e/inbox/hooks.tsx'
import { anything, callApi } from '../data/api.ts'
import { newsSince } from './news-since.ts'

const me = 'anna@agency.example'
const ben = 'ben@agency.example'
const event = (id: number, changes: Partial<LeadEvent>) =>
  ({
    id,
    at: '2026-03-04T20:12:00',
    who: ben,
    what: 'state',
    from: null,
    to: null,
    text: null,
    recipient: null,
    message: null,
    attachments: [],
    ...changes,
  }) as LeadEvent
const lead = { name: 'Elena Petrova', email: 'elena.petrova@example.com' }
const seen = { version: 3, events: [event(1, { to: 'lost' })] }
const after = (...events: LeadEvent[]) =>
  newsSince(seen, { ...lead, version: 4, events: [...events, ...seen.events] }, me)

test('if the version has not changed, there is no news', () => {
  expect(
    newsSince(seen, { ...lead, version: 3, events: [event(2, { what: 'note' }), ...seen.events] }, me),
  ).toBeUndefined()
})

test('the news is a sentence about another owner’s change', () => {
  expect(after(event(2, { what: 'answer', to: 'answered' }))).toEqual(
    expect.stringMatching(/^Ben answered this request at (8:12\sPM|20:12)\.$/),
  )
  expect(after(event(2, { to: 'won' }))).toBe('Ben marked it as won.')
  expect(after(event(2, { to: 'open' }))).toBe('Ben reopened it.')
  expect(after(event(2, { what: 'verdict', to: 'spam' }))).toBe('Ben marked it as spam.')
})

test('the news is about the newest change by another owner or, if there is none, by this owner', () => {
  const won = event(2, { to: 'won' })
  const lost = event(3, { to: 'lost' })
  expect(after(won, lost)).toBe('Ben marked it as lost.')
  const minor = (['seen', 'note', 'address', 'automatic_reply'] as const).map((what, index) =>
    event(3 + index, { what }),
  )
  expect(after(won, ...minor)).toBe('Ben marked it as won.')
  expect(after({ ...lost, who: me }, won)).toBe('Ben marked it as won.')
  expect(after({ ...lost, who: me })).toBe('You marked it as lost.')
})

test('if the event of a change is not loaded yet, the owner is told only that the request has changed', () => {
  expect(after()).toBe('This request has changed.')
})

test.each([
  [lead.email, 'Elena Petrova wrote again.'],
  ['ben@evil.example', 'ben@evil.example wrote again.'],
])('who has written again is named as in the request, or by another address: %s', (who, news) => {
  expect(after(event(2, { what: 'reply', who }))).toBe(news)
})

test('a follow-up in the news is on the day that the server has', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-05T15:00Z'), toFake: ['Date'] })
  const headers = { Date: 'Fri, 06 Mar 2026 12:00:00 GMT' }
  vi.stubGlobal('fetch', async () => new Response('{}', { headers }))
  await callApi('/summary', anything)

  const news = after(event(2, { what: 'follow_up', to: '2026-03-06T13:00Z' }))
  expect(news).toMatch(/^Ben set a follow-up for .* today\.$/)
  await followDeviceClock()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
