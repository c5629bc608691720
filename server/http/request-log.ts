import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { createLogLimiter } from './log-limiter.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

/** Logs requests, but never bodies, client addresses, queries or unknown paths, because these may contain personal data. */
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
      }
      const took = Math.round(performance.now() - startedAt)
      const write = ({ count, ms }: { count: number; ms: number }) =>
        // Monitoring checks health every few seconds. Logging each successful check would fill the log.
        log[path.startsWith('/healthz') && response.statusCode === 200 ? 'debug' : 'info'](
          { ...facts, ms, ...(count > 1 && { count }) },
          'request',
        )
      const isStored = isKnown && method === 'POST' && response.headersSent && response.statusCode < 400
      if (isStored) write({ count: 1, ms: took })
      else limitLines(JSON.stringify(facts), took, write)
    })
    next()
  }
}
