import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../testing/sample-request.ts'

type Bytes = string | Buffer

type RawRequest = {
  bytes: Bytes
  /** Repeated after `bytes` until the server closes the connection. */
  endless?: Bytes
  /** How long to wait for the server to close the connection. */
  patienceMs?: number
}

// After a valid request, the program keeps the connection open for 5 s, so one that closes sooner was closed on purpose.
const CLOSED_WITHIN_MS = 3000

/** Sends raw bytes. Returns the statuses of the responses (without any "100 Continue"), and whether the server hung up. */
export async function exchangeRaw(port: number, request: RawRequest) {
  const { bytes, endless, patienceMs = CLOSED_WITHIN_MS } = request
  const chunks: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const closed = new Promise<true>((done) => {
    for (const event of ['end', 'close']) socket.once(event, () => done(true))
  })
  socket.on('data', (chunk) => chunks.push(chunk))

  socket.write(bytes)
  if (endless) {
    const pour = () => {
      while (socket.writable && socket.write(endless));
    }
    socket.on('drain', pour)
    pour()
  }
  const isClosed = await Promise.race([closed, sleep(patienceMs, false)])
  socket.destroy()
  const response = Buffer.concat(chunks).toString('latin1')
  return {
    statuses: [...response.matchAll(/^HTTP\/1\.1 ([2-9]\d\d)/gm)].map(([, status]) => Number(status)),
    isClosed,
  }
}

/** A request that no real client sends. `expected` lists the response statuses: none if the server hangs up. */
export type MalformedRequest = RawRequest & { what: string; expected: readonly number[] }

const body = JSON.stringify(sampleRequest())
const length = Buffer.byteLength(body)
const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const tinyChunks = '1\r\nx\r\n'.repeat(10_000)
const kilobyte = 'x'.repeat(1024)

const post = (headers: readonly string[], content: Bytes = '') =>
  Buffer.concat([
    Buffer.from([`POST ${contactPath} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')),
    Buffer.from(content),
  ])
const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
/** A valid POST that the server must not process if it is inside another request. */
const hidden = post([json, `Content-Length: ${length}`], body).toString()
const answered = (status: number, what: string, bytes: Bytes, endless?: Bytes): MalformedRequest => ({
  ...{ what, bytes, expected: [status] },
  ...(endless && { endless }),
})
/** Refused for its framing, so the server closes the connection. */
const refused = (what: string, bytes: Bytes) => answered(400, what, bytes)
const many = (count: number) => Array.from({ length: count }, (_, number) => `X-${number}: y`)

export const malformedRequests = {
  'a wrong Content-Length': [
    refused('too small', post([json, 'Content-Length: 10'], body)),
    refused('two different values', post([json, 'Content-Length: 5', `Content-Length: ${length}`], body)),
    answered(413, 'one byte too many', post([json, `Content-Length: ${16 * 1024 + 1}`], 'x')),
    answered(413, 'a terabyte', post([json, 'Content-Length: 1000000000000'])),
  ],
  'malformed or endless chunks': [
    answered(413, 'endless', post([json, chunked]), `400\r\n${kilobyte}\r\n`),
    answered(413, 'endless, one byte each', post([json, chunked]), tinyChunks),
    answered(415, 'endless, without a content type', post([chunked]), tinyChunks),
    answered(200, 'endless, after a GET of a page', get('/', chunked), tinyChunks),
    answered(413, 'an endless extension', post([json, chunked], '1;'), kilobyte),
    answered(431, 'endless trailers', post([json, chunked], '0\r\n'), 'A: b\r\n'.repeat(100)),
  ],
  'too many, too long or malformed headers': [
    answered(431, '10,000', post([...many(10_000), json], body)),
    answered(431, '100', post([...many(100), json], body)),
    answered(431, 'endless', 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'.repeat(100)),
    answered(431, 'a value of 9,000 bytes', post([json, `X: ${'y'.repeat(9000)}`], body)),
    answered(431, 'a URL of 9,000 bytes', get(`/${'a'.repeat(9000)}`)),
  ],
  'a request hidden in another': [
    refused('both a length and chunks', post([json, 'Content-Length: 6', chunked], `0\r\n\r\n${hidden}`)),
    ...['Transfer-Encoding: xchunked', 'Transfer-Encoding : chunked', `Content-Length : ${length}`].map(
      (header) => refused(JSON.stringify(header), post([json, header], `0\r\n\r\n${hidden}`)),
    ),
  ],
  'not HTTP': [refused('TLS', Buffer.from('16030100c8010000c40303', 'hex'))],
} satisfies Record<string, readonly MalformedRequest[]>

/** Requests that only a timeout ends. */
export const endlessRequests: readonly MalformedRequest[] = [
  answered(408, 'a length too large, then silence', post([json, `Content-Length: ${length + 100}`], body)),
  answered(408, 'a chunk of 2 GB, then silence', post([json, chunked], '7fffffff\r\nx')),
  answered(408, 'HTTP/0.9, then silence', 'GET /\r\n'),
].map((request) => ({ ...request, patienceMs: 20_000 }))
