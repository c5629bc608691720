import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isSavingSlowly, trackChange } from './unconfirmed.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the page says that it is saving if the server has not confirmed a change within a second', async () => {
  const response = Promise.withResolvers<void>()
  const change = trackChange(response.promise)
  vi.advanceTimersByTime(999)
  expect(isSavingSlowly.get()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(isSavingSlowly.get()).toBe(true)

  response.resolve()
  await change

  expect(isSavingSlowly.get()).toBe(false)
})

test('the page says that it is saving until the last of several slow changes has finished, even if one fails', async () => {
  const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const [first, second] = [trackChange(one.promise), trackChange(other.promise)]
  vi.advanceTimersByTime(1000)
  one.reject(new Error('refused'))
  await expect(first).rejects.toThrow('refused')
  expect(isSavingSlowly.get()).toBe(true)

  other.resolve()
  await second

  expect(isSavingSlowly.get()).toBe(false)
})
