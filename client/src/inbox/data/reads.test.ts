import { expect, test } from 'vitest'
import type { Session } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { ApiError } from './api.ts'
import { listPath, withoutRepeats } from './queries.ts'
import { isWorthRetrying, retryInMs } from './query-client.ts'
import { toState } from './use-session.ts'

test('the request path of a list contains its view and cursor', () => {
  expect(listPath({ view: 'open' })).toBe('/leads?view=open')
  expect(listPath({ view: 'all', after: 'x=' })).toBe('/leads?view=all&after=x%3D')
})

test('if a lead moves to another page of the list while the pages are being fetched, the list has it only once', () => {
  const rows = ['Q-1', 'Q-2', 'Q-1'].map((reference) => ({ reference }) as LeadRow)

  expect(withoutRepeats(rows).map(({ reference }) => reference)).toEqual(['Q-1', 'Q-2'])
})

test.each([
  [0, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [404, false],
  [409, false],
  [429, false],
])('after status %i, is a read retried (at most three times)? %j', (status, isRetried) => {
  expect(isWorthRetrying(2, new ApiError(status, ''))).toBe(isRetried)
  expect(isWorthRetrying(3, new ApiError(status, ''))).toBe(false)
})

test('a retry waits as long as the server asks, or else at most 30 seconds', () => {
  expect(retryInMs(0, new ApiError(503, '', { retryAfterMs: 7000 }))).toBe(7000)
  expect(retryInMs(20, new ApiError(0, ''))).toBe(30_000)
})

test('during its last 90 seconds, a session is marked as ending', () => {
  const session = { endsAt: '2026-03-02T15:01:30.000Z' } as Session
  const isEndingAt = (time: string) => toState(session, Date.parse(time))

  expect(isEndingAt('2026-03-02T14:59:59.999Z')).toMatchObject({ isEnding: false })
  expect(isEndingAt('2026-03-02T15:00:00.000Z')).toMatchObject({ isEnding: true })
})

test('the session state is "loading" before the first check, and "signed-out" if there is no session', () => {
  expect([toState(undefined, 0), toState(null, 0)]).toEqual([
    { name: 'loading', error: null },
    { name: 'signed-out' },
  ])
})
