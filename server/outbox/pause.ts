/**
 * Pauses sending after a failed attempt, because the next one would probably fail, too. The first pause lasts `firstMs`;
 * each further failure doubles it, up to `maxMs`. `onOver` is called when sending may resume.
 */
export function createPause(firstMs: number, maxMs: number, onOver: () => void) {
  let lengthMs = 0
  let endsAt = 0
  let timer: NodeJS.Timeout | undefined

  return {
    isOver: () => performance.now() >= endsAt,
    /** Whether the last attempt failed. */
    hasFailed: () => lengthMs > 0,
    begin() {
      lengthMs = Math.min(Math.max(firstMs, 2 * lengthMs), maxMs)
      endsAt = performance.now() + lengthMs
      clearTimeout(timer)
      timer = setTimeout(onOver, lengthMs + 1)
    },
    /** Ends the pause after a successful attempt. Returns whether the attempt before it had failed. */
    end(): boolean {
      const hasFailed = lengthMs > 0
      const isPaused = performance.now() < endsAt
      lengthMs = endsAt = 0
      if (isPaused) onOver()
      return hasFailed
    },
    cancel: () => clearTimeout(timer),
  }
}
