import { vi } from 'vitest'

/** Makes `performance.now()` run faster by this factor, and shortens timers of a second or more accordingly. */
export function speedUpTimers(factor: number) {
  const { setTimeout } = globalThis
  const startedAt = performance.now()
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => startedAt + (now() - startedAt) * factor)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number, ...rest: unknown[]) =>
    // The extra 2 ms are needed because timers can fire slightly early, before the pause is over.
    setTimeout(work, ms >= 1_000 ? ms / factor + 2 : ms, ...(rest as []))) as typeof setTimeout)
}
