import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Logger } from 'pino'
import { brand } from '#facts/brand.ts'
import { english } from '#shared/computed-facts.ts'
import { type ContactField, contactFields } from '#shared/contact-request.ts'
import { type ProblemDetails, problemContentType } from '#shared/problem.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { Problem } from '../errors/problem.ts'
import { html, SafeHtml } from '../mail/html.ts'
import { isFormPost } from './read-body.ts'
import { createLogLimiter } from './request-log.ts'

// A retry often succeeds: other programs, such as a backup, usually release their database locks
// within seconds.
const RETRY_AFTER_SECONDS = '5'

/**
 * The only place that turns an error into a response: problem+json, or a page if the form was sent
 * without JavaScript.
 */
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
    if (problem.code === 'storage_unavailable') logFailure({ code, reason }, 'database not available')
    if (response.headersSent) {
      response.destroy()
      return
    }

    const details = problem.toDetails()
    response.status(details.status).set(problem.headers).set('Cache-Control', 'no-store')
    if (isFormPost(request)) response.type('html').send(problemPage(details, style))
    else response.type(problemContentType).send(JSON.stringify(details))
  }
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isStorageError(error)) {
    const detail = 'We could not reach our database just now. Please try again in a moment.'
    return new Problem('storage_unavailable', detail, { headers: { 'Retry-After': RETRY_AFTER_SECONDS } })
  }
  // Express reports a URL that it can't decode as an error with a 4xx status.
  const { status = 500 } = errorFacts(error)
  if (status >= 400 && status < 500) return new Problem('invalid_input', 'That request could not be read.')
  return new Problem('internal', 'Something went wrong on our side. Please try again or email us directly.')
}

/**
 * Tells a visitor without JavaScript why the form was rejected. The browser still has what the
 * visitor typed, and shows it again on the page before.
 */
function problemPage({ title, status, detail, errors = [] }: ProblemDetails, style: string): string {
  return html`<!doctype html>
<html lang="${english}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>Your request was not sent | ${brand.name}</title>
<style>${new SafeHtml(style)}</style>
<link rel="stylesheet" href="/problem-page.css">
</head>
<body>
<main>
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="36" height="36">${brand.name}</a>
<h1>Your request was not sent</h1>
<p role="alert">${detail}</p>
${errors.map(({ field, message }) => html`<p><strong>${contactFields[field as ContactField].label}</strong>: ${message}</p>`)}
<p>Go back in your browser: what you typed is still in the form.</p>
<p>Or write to <a href="mailto:${brand.email}">${brand.email}</a>, or call <a class="whole" href="tel:${brand.phoneLink}">${brand.phone}</a>.</p>
<p><small class="muted">${status} ${title}</small></p>
</main>
</body>
</html>
`.toString()
}
