import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Logger } from 'pino'
import { problemContentType } from '#shared/contact-request.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../error-facts.ts'
import { Problem } from '../problem.ts'
import { problemPage } from './problem-page.ts'
import { isFormPost } from './read-body.ts'
import { createLogLimiter } from './request-log.ts'

// A retry often succeeds: other programs, such as a backup, usually release their database locks within seconds.
const STORAGE_RETRY_AFTER_SECONDS = 5

/** The only place that turns an error into a response: problem+json, or a page if the form was sent without JavaScript. */
export function errorHandler(log: Logger, style: string): ErrorRequestHandler {
  const limitLines = createLogLimiter()
  return (error: unknown, request: Request, response: Response, _next) => {
    // The client has disconnected, so nobody would get the response.
    if ((request.destroyed && !request.complete) || error === request.errored) return
    const problem = toProblem(error)
    const { code, name, message: reason } = errorFacts(error)
    const logFailure = (facts: object, what: string) =>
      limitLines(`${what} ${name} ${code}`, (count) => log.error({ ...facts, ...count }, what))
    if (problem.code === 'internal') logFailure({ err: error }, 'request failed')
    if (problem.code === 'storage_unavailable') logFailure({ code, reason }, 'request not stored')
    if (response.headersSent) {
      response.destroy()
      return
    }

    response.status(problem.status).set(problem.headers).set('Cache-Control', 'no-store')
    if (isFormPost(request)) response.type('html').send(problemPage(problem, response.locals.entries, style))
    else response.type(problemContentType).send(JSON.stringify(problem.toDetails()))
  }
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isStorageError(error)) {
    const detail = 'We could not store your request just now. Please try again in a moment.'
    const headers = { 'Retry-After': String(STORAGE_RETRY_AFTER_SECONDS) }
    return new Problem('storage_unavailable', detail, { headers })
  }
  // Express reports a URL that it can't decode as an error with a 4xx status.
  const { status = 500 } = errorFacts(error)
  if (status >= 400 && status < 500) return new Problem('invalid_input', 'That request could not be read.')
  return new Problem('internal', 'Something went wrong on our side. Please try again or email us directly.')
}
