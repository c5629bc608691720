import { expect, test } from 'vitest'
import { parseRetryAfterMs, retryDelayMs } from './retry-delay.ts'

test('the delay doubles with each failed attempt', () => {
  const delays = [0, 1, 2, 3].map((attempt) => retryDelayMs(attempt, 1))

  expect(delays).toEqual([500, 1000, 2000, 4000])
})

test('jitter reduces the delay by up to half, so that visitors do not all retry at the same time', () => {
  expect(retryDelayMs(2, 0)).toBe(1000)
})

test('the delay is never longer than 30 seconds', () => {
  expect(retryDelayMs(40, 1)).toBe(30_000)
  expect(retryDelayMs(0, 1, 3_600_000)).toBe(30_000)
})

test('the server can ask for a longer delay, but not for a shorter one', () => {
  expect(retryDelayMs(0, 1, 7000)).toBe(7000)
  expect(retryDelayMs(3, 1, 1000)).toBe(4000)
})

test('Retry-After can be a number of seconds', () => {
  expect(parseRetryAfterMs('12', 0)).toBe(12_000)
})

test('Retry-After can be a date, and a past date means no delay', () => {
  const now = Date.parse('Fri, 01 May 2026 10:00:00 GMT')

  expect(parseRetryAfterMs('Fri, 01 May 2026 10:00:05 GMT', now)).toBe(5000)
  expect(parseRetryAfterMs('Fri, 01 May 2026 09:00:00 GMT', now)).toBe(0)
})

test.each([null, '', 'soon', '-3'])('a Retry-After of %j is ignored', (header) => {
  expect(parseRetryAfterMs(header, Date.parse('2026-05-01'))).toBe(0)
})
