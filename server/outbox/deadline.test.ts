import { expect, test, vi } from 'vitest'
import { orAbort, startDeadline } from './deadline.ts'

test('a deadline ends with its parent, and leaves neither a timer nor a listener behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const parent = new AbortController()
  {
    using deadline = startDeadline(60_000, 'Too late.', parent.signal)
    expect(await orAbort(Promise.resolve('done'), deadline.signal)).toBe('done')
    parent.abort(new Error('stopped'))
    await expect(orAbort(new Promise(() => {}), deadline.signal)).rejects.toThrow('stopped')
  }
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})
