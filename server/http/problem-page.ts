import { brand } from '#facts/brand.ts'
import { type ContactField, contactFields, contactPath, fieldsInFormOrder } from '#shared/contact-request.ts'
import { english } from '#shared/locale.ts'
import { html, SafeHtml } from '../html.ts'
import type { Problem } from '../problem.ts'

/**
 * Tells a visitor without JavaScript why the form was rejected. The fields with errors can be changed and sent again. The
 * other `entries`, such as the time token, are hidden fields.
 */
export function problemPage(
  problem: Problem,
  entries: Record<string, unknown> | undefined,
  style: string,
): string {
  const { title, status, detail, errors = [] } = problem.toDetails()
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

function form(entries: Record<string, unknown>, errors: NonNullable<Problem['errors']>): SafeHtml {
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
