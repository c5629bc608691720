import type { ContactField } from '#shared/contact-request.ts'
import { controlOf } from './form-values.ts'

const hints: Partial<Record<ContactField, string>> = {
  website: 'The address of the present website, if there is one',
  budget: 'Empty if the visitor has not decided',
  message: 'What the website is for, and what the visitor wants quoted',
}

/**
 * Describes the form to AI agents in browsers (declarative WebMCP). Set by script, because the attributes aren't valid HTML
 * yet, and such agents run scripts anyway.
 */
export function declareTool(form: HTMLFormElement) {
  form.setAttribute('toolname', 'request_quote')
  form.setAttribute(
    'tooldescription',
    'Ask the agency for a free quote for a website. A person answers by email.',
  )
  for (const [field, hint] of Object.entries(hints)) {
    controlOf(form, field)?.setAttribute('toolparamdescription', hint)
  }
}
