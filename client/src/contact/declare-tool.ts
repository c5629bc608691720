import { hints, purpose } from '#brand/words/form.ts'
import { controlOf } from './form-values.ts'

/**
 * Describes the form to AI agents in browsers (declarative WebMCP). A script adds the attributes, because they aren't valid
 * HTML yet.
 */
export function declareTool(form: HTMLFormElement) {
  form.setAttribute('toolname', 'request_quote')
  form.setAttribute('tooldescription', purpose)
  for (const [field, hint] of Object.entries(hints))
    controlOf(form, field)?.setAttribute('toolparamdescription', hint)
}
