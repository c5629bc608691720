import { afterEach, expect, test, vi } from 'vitest'
import { createCrowd } from './crowd.ts'

afterEach(() => void vi.useRealTimers())

test('more than eight submissions in progress are a crowd, and the crowd ends 250 ms after their end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { count, isCrowded } = createCrowd()
  const gate = Promise.withResolvers<void>()
  const first = Array.from({ length: 8 }, () => count(gate.promise))
  const withEight = isCrowded()
  const all = [...first, count(gate.promise)]
  vi.advanceTimersByTime(1_000)
  const withNine = isCrowded()
  gate.resolve()
  await Promise.all(all)

  expect([withEight, withNine, isCrowded()]).toEqual([false, true, true])
  vi.advanceTimersByTime(249)
  expect(isCrowded()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(isCrowded()).toBe(false)
})

test('a rejected submission is no longer in progress', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { count, isCrowded } = createCrowd()
  await Promise.allSettled(Array.from({ length: 9 }, () => count(Promise.reject(new Error('no')))))
  vi.advanceTimersByTime(250)

  expect(isCrowded()).toBe(false)
})
