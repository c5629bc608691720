import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']
const PERIOD_MS = 1000

/**
 * Logs requests, but never bodies, client addresses, queries or unknown paths, because these may contain personal data. Adds
 * `response.locals.logged`.
 */
export function requestLog(log: Logger, knownPaths: readonly string[]): RequestHandler {
  const limitLines = createLogLimiter()
  return (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => {
      const isKnown = knownPaths.includes(path)
      const facts = {
        method: METHODS.includes(method) ? method : '(other)',
        path: isKnown ? path : '(other)',
        ...(response.headersSent && { status: response.statusCode }),
        ...(!response.writableFinished && { aborted: true }),
        ...response.locals.logged,
      }
      const took = Math.round(performance.now() - startedAt)
      const write = ({ count, ms }: { count: number; ms: number }) =>
        // Monitoring checks health every few seconds. Logging each successful check would fill the log.
        log[path.startsWith('/healthz') && response.statusCode === 200 ? 'debug' : 'info'](
          { ...facts, ms, ...(count > 1 && { count }) },
          'request',
        )
      const isStored = response.locals.logged?.outcome === 'accepted'
      if (isStored) write({ count: 1, ms: took })
      else limitLines(JSON.stringify(facts), took, write)
    })
    next()
  }
}

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
