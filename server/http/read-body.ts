import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { MAX_JSON_BYTES } from '#shared/contact-request.ts'
import { Problem, type ProblemCode } from '../problem.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
// A form may be three times as long, because percent-encoding turns each byte into three.
const MAX_BYTES = new Map([
  [JSON_TYPE, MAX_JSON_BYTES],
  [FORM, 48 * 1024],
])

// Handling a one-byte chunk takes as long as handling a chunk of a thousand bytes, so many tiny chunks could keep the server
// busy. Honest requests stay below this limit: even a proxy that translates HTTP/2 to HTTP/1.1 sends larger chunks.
const MAX_TINY_CHUNKS = 64
const TINY_CHUNK_BYTES = 16

/** Whether the form was sent without JavaScript. If so, the response must be a page instead of JSON. */
export const isFormPost = (request: IncomingMessage): boolean => contentType(request)?.essence === FORM

/**
 * Reads a UTF-8 body, without NUL (see `withoutNul`). `maxJsonBytes` changes the limit for JSON. Replaces `express.json`,
 * which reads an upload of any size to its end before responding with 413.
 */
export async function readBody(
  request: IncomingMessage,
  maxJsonBytes = MAX_BYTES.get(JSON_TYPE),
): Promise<unknown> {
  const type = contentType(request)
  const maxBytes = type?.essence === JSON_TYPE ? maxJsonBytes : MAX_BYTES.get(type?.essence ?? '')
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8'
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (!maxBytes || charset !== 'utf-8' || encoding !== 'identity')
    throw new Problem('unsupported_media_type', 'Please send JSON or a form, in UTF-8 and not compressed.')

  const text = decode(await readBytes(request, maxBytes))
  return type?.essence === FORM ? parseForm(text) : parseJson(text)
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge()
  const isChunked = request.headers['transfer-encoding'] !== undefined
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early must not close the stream: the response uses the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk as Buffer)
    if (isChunked && chunks.length > MAX_TINY_CHUNKS && size < chunks.length * TINY_CHUNK_BYTES)
      throw closing('invalid_input', 'That request was sent in too many small pieces.')
  }
  return Buffer.concat(chunks)
}

const tooLarge = () =>
  closing('too_large', 'That message is too long. Please shorten it or email us directly.')

/** A Problem that also closes the connection, because the rest of the body is not read. */
const closing = (code: ProblemCode, detail: string) =>
  new Problem(code, detail, { headers: { Connection: 'close' } })

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_input', 'That request is not valid UTF-8 text.')
  }
}

// PostgreSQL accepts no NUL in text. U+0001 is just as unwanted, so whoever refuses or removes control characters gets that
// instead.
const withoutNul = {
  form: (text: string) => text.replaceAll(/\0|%00/g, '%01'),
  // After an even number of backslashes: an odd number would mean that this one is escaped.
  json: (text: string) => text.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\u0001'),
}

function parseForm(text: string): Record<string, string> {
  // URLSearchParams replaces invalid UTF-8, so reject it first.
  for (const escapes of text.match(/(?:%[0-9a-f]{2})+/gi) ?? [])
    decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'))
  return Object.fromEntries(new URLSearchParams(withoutNul.form(text)))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(withoutNul.json(text))
  } catch {
    // Leave out the parser's message: it quotes the body.
    throw new Problem('invalid_input', 'That request is not valid JSON.')
  }
}

function contentType(request: IncomingMessage): MIMEType | undefined {
  try {
    return new MIMEType(request.headers['content-type'] ?? '')
  } catch {
    return undefined
  }
}
