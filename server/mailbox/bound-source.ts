import { MAX_FIELD_BYTES, MAX_FIELDS, MAX_PARTS } from './limits.ts'

/** The source of a message without what is over the limits of its header fields and parts, because decoding it takes long. */
export function boundSource(source: Buffer): Buffer {
  const end = endOfHeaders(source)
  const fields = source
    .subarray(0, end)
    .toString('latin1')
    .split(/\r?\n(?![ \t])/)
  const isMultipart = fields.some((field) => /^content-type:\s*multipart\//i.test(field))
  return Buffer.concat([
    Buffer.from(fields.slice(0, MAX_FIELDS).map(boundField).join('\r\n'), 'latin1'),
    source.subarray(end, isMultipart ? endOfParts(source) : undefined),
  ])
}

/** The index at which the headers of a message end. */
export function endOfHeaders(source: Buffer): number {
  const end = source.indexOf('\r\n\r\n')
  return end < 0 ? source.length : end
}

/** Whether a message, or its beginning, has few lines that could separate parts. */
export const hasFewParts = (source: Buffer): boolean => endOfParts(source) === source.length

function endOfParts(source: Buffer): number {
  let at = -1
  for (let count = 0; count <= MAX_PARTS; count++) {
    at = source.indexOf('\n--', at + 1)
    if (at < 0) return source.length
  }
  return at
}

function boundField(field: string): string {
  if (field.length <= MAX_FIELD_BYTES) return field
  // The last Message-IDs are the closest.
  const isEndKept = /^references:/i.test(field)
  return isEndKept ? `References: ${field.slice(-MAX_FIELD_BYTES)}` : field.slice(0, MAX_FIELD_BYTES)
}
