import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']
const PERIOD_MS = 1000

/**
 * Logs requests, but never bodies, client addresses, queries or unknown paths, because these may
 * contain personal data. Adds `response.locals.logged`.
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
      // Monitoring checks health every few seconds. Logging each successful check would fill the
      // log.
      const level = path.startsWith('/healthz') && response.statusCode === 200 ? 'debug' : 'info'
      const isStored = facts.outcome === 'accepted'
      if (isStored) log.info({ ...facts, ms }, 'request')
      else limitLines(JSON.stringify(facts), (count) => log[level]({ ...facts, ...count, ms }, 'request'))
    })
    next()
  }
}

/**
 * Limits the log to two lines per second for each `kind` of request, so that nobody can fill the
 * disk: the first request is logged immediately. Those that follow within a second share one line,
 * which says how many there were. Keep the number of kinds small, because each has lines of its
 * own.
 */
export function createLogLimiter() {
  const following = new Map<string, number>()

  return (kind: string, write: (count: object) => void) => {
    const earlier = following.get(kind)
    following.set(kind, earlier === undefined ? 0 : earlier + 1)
    if (earlier !== undefined) return
    write({})
    setTimeout(() => {
      const count = following.get(kind)
      following.delete(kind)
      if (count) write({ count })
    }, PERIOD_MS).unref()
  }
}
