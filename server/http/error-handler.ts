import type { ErrorRequestHandler, Request, Response } from 'express'
import type { Logger } from 'pino'
import { brand } from '#facts/brand.ts'
import { type ContactField, contactFields, contactPath, fieldsInFormOrder } from '#shared/contact-request.ts'
import { english } from '#shared/locale.ts'
import { type ProblemDetails, problemContentType } from '#shared/problem.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../error-facts.ts'
import { html, SafeHtml } from '../html.ts'
import { Problem } from '../problem.ts'
import { isFormPost } from './read-body.ts'
import { createLogLimiter } from './request-log.ts'

// A retry often succeeds: other programs, such as a backup, usually release their database locks within seconds.
const RETRY_AFTER_SECONDS = '5'

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
    if (problem.code === 'storage_unavailable') logFailure({ code, reason }, 'database not available')
    if (response.headersSent) {
      response.destroy()
      return
    }

    const details = problem.toDetails()
    response.status(details.status).set(problem.headers).set('Cache-Control', 'no-store')
    if (isFormPost(request)) response.type('html').send(problemPage(details, response.locals.entries, style))
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
 * Tells a visitor without JavaScript why the form was rejected. The fields with errors can be changed and sent again. The
 * other `entries`, such as the time token, are hidden fields.
 */
export function problemPage(
  { title, status, detail, errors = [] }: ProblemDetails,
  entries: Record<string, unknown> | undefined,
  style: string,
): string {
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
<p class="brand"><a href="/"><img src="/favicon.svg" alt="" width="36" height="36">${brand.name}</a></p>
<h1>Your request was not sent</h1>
<p role="alert">${detail}</p>
${entries ? form(entries, errors) : html`<p><a href="/#contact">Back to the form</a></p>`}
<p>Or write to <a href="mailto:${brand.email}">${brand.email}</a>, or call <a href="tel:${brand.phoneLink}">${brand.phone}</a>.</p>
<p><small>${status} ${title}</small></p>
</main>
</body>
</html>
`.toString()
}

function form(entries: Record<string, unknown>, errors: NonNullable<ProblemDetails['errors']>): SafeHtml {
  const messages = new Map<string, string>(errors.map(({ field, message }) => [field, message]))
  const kept = Object.entries(entries).filter(([name]) => !messages.has(name))
  return html`<form method="post" action="${contactPath}">
${fieldsInFormOrder
  .filter((field) => messages.has(field))
  .map((field) => formField(field, String(entries[field] ?? ''), messages.get(field) ?? ''))}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}
<p><button type="submit">Send again</button></p>
</form>`
}

function formField(field: ContactField, value: string, message: string): SafeHtml {
  const { label, maxLength } = contactFields[field]
  const attributes = html`id="${field}" name="${field}" required maxlength="${maxLength}" aria-invalid="true" aria-describedby="${field}-error"`
  return html`<p>
<label for="${field}">${label}</label><br>
${field === 'message' ? html`<textarea ${attributes} dir="auto" rows="8">${value}</textarea>` : html`<input ${attributes} value="${value}">`}
<br><strong id="${field}-error">${message}</strong>
</p>
`
}
