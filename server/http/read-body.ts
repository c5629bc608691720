import type { IncomingMessage } from 'node:http'
import { MAX_JSON_BYTES } from '#shared/contact-request.ts'
import { Problem } from '../errors/problem.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
// Percent-encoding turns each byte into three.
const MAX_FORM_BYTES = 3 * MAX_JSON_BYTES

/**
 * Whether the form was sent without JavaScript. If so, the response must be a page instead of JSON.
 */
export const isFormPost = (request: IncomingMessage): boolean => contentType(request).type === FORM

/**
 * Reads a UTF-8 body, without NUL (see below). Replaces `express.json`, which reads an upload of
 * any size to its end before responding with 413.
 */
export async function readBody(request: IncomingMessage, maxJsonBytes = MAX_JSON_BYTES): Promise<unknown> {
  const { type, charset } = contentType(request)
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  const isForm = type === FORM
  if (!(isForm || type === JSON_TYPE) || charset !== 'utf-8' || encoding !== 'identity')
    throw new Problem('unsupported_media_type', 'Please send JSON or a form, in UTF-8 and not compressed.')

  const text = decode(await readBytes(request, isForm ? MAX_FORM_BYTES : maxJsonBytes))
  return isForm ? parseForm(text) : parseJson(text)
}

function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) reject(tooLarge())
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

/** Also closes the connection, because the rest of the body is not read. */
const tooLarge = () =>
  new Problem('too_large', 'That message is too long. Please shorten it or email us directly.', {
    headers: { Connection: 'close' },
  })

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_input', 'That request is not valid UTF-8 text.')
  }
}

// PostgreSQL accepts no NUL in text. U+0001 is just as unwanted, so whoever refuses or removes
// control characters gets that instead.

function parseForm(text: string): Record<string, string> {
  // URLSearchParams replaces invalid UTF-8, so reject it first.
  for (const escapes of text.match(/(?:%[0-9a-f]{2})+/gi) ?? [])
    decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'))
  return Object.fromEntries(new URLSearchParams(text.replaceAll(/\0|%00/g, '%01')))
}

function parseJson(text: string): unknown {
  try {
    // After an even number of backslashes: an odd number would mean that this one is escaped.
    return JSON.parse(text.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\u0001'))
  } catch {
    // Leave out the parser's message: it quotes the body.
    throw new Problem('invalid_input', 'That request is not valid JSON.')
  }
}

/** The media type and the charset, in lower case. */
function contentType({ headers }: IncomingMessage) {
  const [type, ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8)
  return { type, charset: charset?.replaceAll('"', '') ?? 'utf-8' }
}
