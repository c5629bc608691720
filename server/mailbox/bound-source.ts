import { MAX_FIELD_BYTES, MAX_FIELDS, MAX_LINES, MAX_PARTS } from './limits.ts'

const CR = 13
const LF = 10

/** A source that takes little time to decode. `isCut`: what was left out of it may be words. */
type Bounded = { source: Buffer; isCut: boolean }

/**
 * The source of a message without what is over the limits of its header fields, parts, and lines,
 * because decoding it takes long.
 */
export function boundSource(source: Buffer): Bounded {
  const end = endOfHeaders(source)
  const fields = source
    .subarray(0, end)
    .toString('latin1')
    .split(/\r?\n(?![ \t])/)
  const isMultipart = fields.some((field) => /^content-type:\s*multipart\//i.test(field))
  const endOfBody = isMultipart ? endOfParts(source) : source.length
  const bounded = Buffer.concat([
    Buffer.from(boundFields(fields).join('\r\n'), 'latin1'),
    source.subarray(end, endOfBody),
  ])
  const endOfBounded = placeOfNth(bounded, '\n', MAX_LINES) + 1
  return {
    source: bounded.subarray(0, endOfBounded),
    isCut:
      endOfBody < source.length ||
      endOfBounded < bounded.length ||
      fields.length > MAX_FIELDS ||
      // The others say nothing about where the words are.
      fields.some((field) => field.length > MAX_FIELD_BYTES && /^content-/i.test(field)),
  }
}

/**
 * Whether lines of a message are in no part of it, so that its decoder leaves them out: among
 * header fields, below the last part, or because no part begins. What is above the first part is
 * for old programs. `isCut`: the source ends anywhere.
 */
export function hasLostLines(source: Buffer, isCut: boolean): boolean {
  const text = source.toString('latin1')
  const found = text.matchAll(/\bboundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s";]{1,200}))/gi)
  const begins = new Set([...found].map(([, quoted, plain]) => `--${quoted ?? plain}`.trimEnd()))
  let hasParts = !/^content-type:\s*multipart\//im.test(text.slice(0, endOfHeaders(source)))
  let within: 'fields' | 'part' | 'end' = 'fields'
  for (const each of text.split('\n').slice(0, isCut ? -1 : undefined)) {
    const line = each.trimEnd()
    if (begins.has(line)) {
      within = 'fields'
      hasParts = true
    } else if (line.endsWith('--') && begins.has(line.slice(0, -2))) within = 'end'
    else if (within === 'fields' && /^\r*$/.test(each)) within = 'part'
    else if (within === 'fields' ? !isOfField.test(line) : within === 'end' && line !== '') return true
  }
  return !hasParts
}

// Also the line that some programs put above the fields. A line of spaces alone may be meant as the
// end of the fields.
const isOfField = /^(?:[ \t]+\S|[^\s:]+[ \t]*:|>?From )/

/** The index at which the headers of a message end: at the first empty line. */
export function endOfHeaders(source: Buffer): number {
  for (let at = -1; at < source.length; ) {
    let next = at + 1
    while (source[next] === CR) next++
    if (source[next] === LF) return Math.max(0, source[at - 1] === CR ? at - 1 : at)
    at = source.indexOf('\n', next)
    if (at < 0) break
  }
  return source.length
}

/** Where a text has a mark for the nth time; its length if it has fewer. */
export function placeOfNth(text: Buffer | string, mark: string, nth: number): number {
  let at = -1
  for (let count = 0; count < nth; count++) {
    at = text.indexOf(mark, at + 1)
    if (at < 0) return text.length
  }
  return at
}

/** Whether a message, or its beginning, has few lines that could separate parts. */
export const hasFewParts = (source: Buffer): boolean => endOfParts(source) === source.length

const endOfParts = (source: Buffer): number => placeOfNth(source, '\n--', MAX_PARTS + 1)

/** Fields of the same name share the limit. */
function boundFields(fields: readonly string[]): string[] {
  const lengths = new Map<string, number>()
  return fields.slice(0, MAX_FIELDS).flatMap((field) => {
    const name = field.slice(0, Math.max(0, field.indexOf(':'))).toLowerCase()
    const before = lengths.get(name) ?? 0
    lengths.set(name, before + field.length)
    return before < MAX_FIELD_BYTES ? boundField(field) : []
  })
}

function boundField(field: string): string {
  if (field.length <= MAX_FIELD_BYTES) return field
  // The last Message-IDs are the closest.
  const isEndKept = /^references:/i.test(field)
  return isEndKept ? `References: ${field.slice(-MAX_FIELD_BYTES)}` : field.slice(0, MAX_FIELD_BYTES)
}
