import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { createCountedLines } from './count-lines.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']

/**
 * Logs each stored request, and at most one line per second and kind for the rest: method, path, outcome, duration. Pages
 * and files served from memory are not logged. Never logs bodies, client addresses, queries or unknown paths (logged as
 * "(other)"): any of them may contain personal data.
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
        // Monitoring asks every few seconds: not worth a line while everything is fine.
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
