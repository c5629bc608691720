import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { createCountedLines } from './count-lines.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

/**
 * A line for each request that is stored, and one a second for each kind of the others that get this far (pages and
 * files do not): what, how it ended, how long. Never body, address, query or an unknown path, for any of them can hold
 * personal data: an address that is not ours is logged as "(other)".
 */
export function requestLog(log: Logger, knownPaths: readonly string[]): RequestHandler {
  const countLine = createCountedLines()
  return (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => {
      const facts = {
        method: METHODS.includes(method) ? method : '(other)',
        path: knownPaths.includes(path) ? path : '(other)',
        ...(response.headersSent && { status: response.statusCode }),
        ...(!response.writableFinished && { aborted: true }),
      }
      const took = Math.round(performance.now() - startedAt)
      const write = ({ count, ms }: { count: number; ms: number }) =>
        // Asked every few seconds by whoever watches: not worth a line each while all is well.
        log[path.startsWith('/healthz') && response.statusCode === 200 ? 'debug' : 'info'](
          { ...facts, ms, ...(count > 1 && { count }) },
          'request',
        )
      const isStored = method === 'POST' && response.headersSent && response.statusCode < 400
      if (isStored) write({ count: 1, ms: took })
      else countLine(JSON.stringify(facts), took, write)
    })
    next()
  }
}
