import type { ContactField } from '#shared/contact-request.ts'
import { controlOf } from './form-values.ts'

const hints: Partial<Record<ContactField, string>> = {
  website: 'The URL of the current website, if there is one',
  budget: 'Leave empty if undecided',
  message: 'What the website is for, and what the visitor wants quoted',
}

/** Describes the form to AI agents in browsers (declarative WebMCP). Set by script: the attributes aren't valid HTML yet. */
export function declareTool(form: HTMLFormElement) {
  form.setAttribute('toolname', 'request_quote')
  form.setAttribute(
    'tooldescription',
    'Ask the agency for a free quote for a website. A person answers by email.',
  )
  for (const [field, hint] of Object.entries(hints))
    controlOf(form, field)?.setAttribute('toolparamdescription', hint)
}
