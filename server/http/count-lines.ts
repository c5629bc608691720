const PERIOD_MS = 1000

/** What a line says of all the requests it stands for: how many, and the longest time. */
type Sum = { count: number; ms: number }

/**
 * Lets one line a second of each kind into the log, so that nobody can fill the disk with them: the first at once, the
 * others as a count when the second is over. The kinds must be few.
 */
export function createCountedLines(periodMs = PERIOD_MS) {
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
    setTimeout(end, periodMs).unref()
  }

  return (kind: string, ms: number, write: (sum: Sum) => void) => {
    const sum = open.get(kind)
    if (sum) {
      sum.count++
      sum.ms = Math.max(sum.ms, ms)
      return
    }
    write({ count: 1, ms })
    begin(kind, write)
  }
}
