const PERIOD_MS = 1000

/** The number of requests that a log line covers, and the duration of the slowest one. */
type Sum = { count: number; ms: number }

/**
 * Limits the log to one line per second for each `kind` of request, so that nobody can fill the disk. The first request is
 * logged immediately. Those that follow within a second share one line, which says how many there were. Keep the number of
 * kinds small, because each has lines of its own.
 */
export function createLogLimiter() {
  const open = new Map<string, Sum>()

  function begin(kind: string, write: (sum: Sum) => void) {
    const sum = { count: 0, ms: 0 }
    open.set(kind, sum)
    const end = () => {
      open.delete(kind)
      if (sum.count === 0) return
      write(sum)
      begin(kind, write)
    }
    setTimeout(end, PERIOD_MS).unref()
  }

  return (kind: string, ms: number, write: (sum: Sum) => void) => {
    const sum = open.get(kind)
    if (sum) {
      sum.count++
      sum.ms = Math.max(sum.ms, ms)
    } else {
      write({ count: 1, ms })
      begin(kind, write)
    }
  }
}
