import type { IncomingMessage } from 'node:http'
import { MIMEType } from 'node:util'
import { Problem } from '../problem.ts'

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
// Percent-encoding turns a three-byte character into nine bytes.
const MAX_BYTES = new Map([
  [JSON_TYPE, 16 * 1024],
  [FORM, 48 * 1024],
])

// A one-byte chunk takes as much time as a thousand bytes. Chunked bodies in general are allowed: proxies use a few chunks
// for what they receive over HTTP/2.
const MAX_TINY_CHUNKS = 64
const TINY_CHUNK_BYTES = 16

/** Whether this is the form without JavaScript, which gets pages instead of JSON. */
export const isFormPost = (request: IncomingMessage): boolean => contentType(request)?.essence === FORM

/**
 * Reads UTF-8 JSON of at most 16 KiB, or the same as a urlencoded form. Throws a Problem. `express.json` would drain an
 * upload of any size before its 413, and accepts more charsets.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const type = contentType(request)
  const maxBytes = MAX_BYTES.get(type?.essence ?? '')
  const charset = type?.params.get('charset')?.toLowerCase() ?? 'utf-8'
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (!maxBytes || charset !== 'utf-8' || coding !== 'identity')
    throw new Problem('unsupported_media_type', 'Please send JSON or a form, in UTF-8 and not compressed.')

  const text = decode(await readBytes(request, maxBytes))
  return type?.essence === FORM ? parseForm(text) : parseJson(text)
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  // Rejected before reading anything if the length is declared, otherwise as soon as it is too large.
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
      throw tinyChunks()
  }
  return Buffer.concat(chunks)
}

const tooLarge = () =>
  new Problem('too_large', 'That message is too long. Please shorten it or email us directly.', {
    headers: { Connection: 'close' },
  })

const tinyChunks = () =>
  new Problem('invalid_input', 'That request was sent in too many small pieces.', {
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

function parseForm(text: string): Record<string, string> {
  // URLSearchParams would replace invalid UTF-8 with a question mark.
  for (const escapes of text.match(/(?:%[0-9a-f]{2})+/gi) ?? [])
    decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'))
  return Object.fromEntries(new URLSearchParams(text))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not the parser's message: it quotes the body.
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
