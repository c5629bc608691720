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
  return ({ method, path }, response, next) => {
    const startedAt = performance.now()
    response.on('close', () => {
      const facts = {
        method: METHODS.includes(method) ? method : '(other)',
        path: knownPaths.includes(path) ? path : '(other)',
        ...(response.headersSent && { status: response.statusCode }),
        ...(!response.writableFinished && { aborted: true }),
        ...response.locals.logged,
      }
      const ms = Math.round(performance.now() - startedAt)
      // Monitoring checks health every few seconds. Logging each successful check would fill the log.
      const level = path.startsWith('/healthz') && response.statusCode === 200 ? 'debug' : 'info'
      const isStored = facts.outcome === 'accepted'
      if (isStored) log.info({ ...facts, ms }, 'request')
      else limitLines(JSON.stringify(facts), (count) => log[level]({ ...facts, ...count, ms }, 'request'))
    })
    next()
  }
}

/**
 * Limits the log to one line per second for each `kind` of request, so that nobody can fill the disk. The first request is
 * logged immediately. Those that follow within a second share one line, which says how many there were. Keep the number of
 * kinds small, because each has lines of its own.
 */
export function createLogLimiter() {
  const open = new Map<string, { count: number; write: (count: object) => void }>()

  function startPeriod(kind: string, write: (count: object) => void) {
    const line = { count: 0, write }
    open.set(kind, line)
    setTimeout(() => {
      open.delete(kind)
      if (line.count === 0) return
      line.write(line.count > 1 ? { count: line.count } : {})
      startPeriod(kind, write)
    }, PERIOD_MS).unref()
  }

  return (kind: string, write: (count: object) => void) => {
    const line = open.get(kind)
    if (!line) {
      write({})
      return startPeriod(kind, write)
    }
    line.count++
    line.write = write
  }
}
