import { brand } from '#facts/brand.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'
import {
  type ContactField,
  contactFields,
  contactPath,
  fieldsInFormOrder,
  formTokenField,
  honeypotField,
} from '#shared/contact-request.ts'
import { english } from '#shared/locale.ts'
import { html, SafeHtml } from '../html.ts'
import type { Problem } from '../problem.ts'

/**
 * Tells a visitor without JavaScript why the form was rejected, and shows the form again with `entries`, the fields as
 * sent.
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
  const fields = fieldsInFormOrder.map((field) => {
    const message = errors.find((error) => error.field === field)?.message
    return formField(field, String(entries[field] ?? ''), message)
  })
  return html`<form method="post" action="${contactPath}">
${fields}
${hiddenFields(entries)}
<p><button type="submit">Send again</button></p>
</form>`
}

/** The honeypot field (a trap for bots) and the time token, with the values that were sent. */
const hiddenFields = (entries: Record<string, unknown>) => html`<p class="extra-field" aria-hidden="true">
<label for="${honeypotField}">Please leave this empty</label>
<input type="text" id="${honeypotField}" name="${honeypotField}" value="${String(entries[honeypotField] ?? '')}" tabindex="-1" autocomplete="off">
<input type="hidden" name="${formTokenField}" value="${String(entries[formTokenField] ?? '')}">
</p>`

function formField(field: ContactField, value: string, message: string | undefined): SafeHtml {
  const { label, required } = contactFields[field]
  const describedBy = message ? html` aria-invalid="true" aria-describedby="${field}-error"` : html``
  const attributes = html`id="${field}" name="${field}"${required ? html` required` : html``}${describedBy}`
  return html`<p>
<label for="${field}">${label}${required ? '' : ' (optional)'}</label><br>
${control(field, value, attributes)}
${message ? html`<br><strong id="${field}-error">${message}</strong>` : html``}
</p>
`
}

function control(field: ContactField, value: string, attributes: SafeHtml): SafeHtml {
  const textAttributes = html`${attributes} maxlength="${contactFields[field].maxLength}"`
  if (field === 'message') return html`<textarea ${textAttributes} dir="auto" rows="8">${value}</textarea>`
  if (field !== 'budget') {
    // `input` has React's attribute names, such as `autoComplete`. They work here because HTML ignores their case.
    const own = Object.entries(contactFields[field].input).map(([name, text]) => html`${name}="${text}" `)
    return html`<input ${own}${textAttributes} value="${value}">`
  }
  const options = [['', 'Not sure yet'], ...Object.entries(budgetTiers)] as const
  return html`<select ${attributes}>${options.map(
    ([option, label]) =>
      html`<option value="${option ?? ''}"${option === value ? html` selected` : html``}>${label ?? ''}</option>`,
  )}</select>`
}
