import { expect, test } from 'vitest'
import { parseRetryAfterMs, retryDelayMs } from './retry-delay.ts'

test.each([
  ['doubles with each failed attempt', [0, 1], 500],
  ['doubles with each failed attempt', [3, 1], 4000],
  ['is reduced by up to half, so that visitors do not all retry at the same time', [2, 0], 1000],
  ['is never longer than 30 seconds', [40, 1], 30_000],
  ['is never longer than 30 seconds', [0, 1, 3_600_000], 30_000],
  ['can be longer if the server asks for it', [0, 1, 7000], 7000],
  ['is never shorter because the server asks for it', [3, 1, 1000], 4000],
] as [string, Parameters<typeof retryDelayMs>, number][])('the delay %s: %j', (_what, given, delay) => {
  expect(retryDelayMs(...given)).toBe(delay)
})

const now = 'Fri, 01 May 2026 10:00:00 GMT'
test.each<[string | null, number]>([
  ['12', 12_000],
  ['Fri, 01 May 2026 10:00:05 GMT', 5000],
  ['Fri, 01 May 2026 09:00:00 GMT', 0],
  ...[null, '', 'soon', '-3'].map((header) => [header, 0] as [string | null, number]),
])('a Retry-After of %j means %i ms', (header, ms) => {
  expect(parseRetryAfterMs(header, Date.parse(now))).toBe(ms)
})
