import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

/**
 * One line a request that gets this far (pages and files do not): what, how it ended, how long. Never body, address, query or an unknown path, for any of them
 * can hold personal data: an address that is not ours is logged as "(other)".
 */
export function requestLog(log: Logger, knownPaths: readonly string[]): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => {
      const facts = {
        method,
        path: knownPaths.includes(path) ? path : '(other)',
        ...(response.headersSent && { status: response.statusCode }),
        ms: Math.round(performance.now() - startedAt),
        ...(!response.writableFinished && { aborted: true }),
      }
      // Asked every few seconds by whoever watches: not worth a line each while all is well.
      if (path.startsWith('/healthz') && response.statusCode === 200) log.debug(facts, 'request')
      else log.info(facts, 'request')
    })
    next()
  }
}
