/** Markup that `html` inserts without escaping it. */
export class SafeHtml extends String {}

type Value = string | number | SafeHtml | readonly SafeHtml[]

/** A template tag that escapes every value except `SafeHtml`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): SafeHtml {
  return new SafeHtml(String.raw({ raw: parts }, ...values.map(toMarkup)))
}

function toMarkup(value: Value): string {
  if (value instanceof SafeHtml) return value.toString()
  if (Array.isArray(value)) return value.map(toMarkup).join('')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
