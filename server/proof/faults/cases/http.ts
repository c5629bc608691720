import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { pour } from '../pour.ts'

type Bytes = string | Buffer
/**
 * A request that no real client sends. `endless` is repeated until the server closes the
 * connection.
 */
type Malformed = readonly [what: string, status: number, bytes: Bytes, endless?: Bytes]

const body = JSON.stringify(sampleRequest())
const length = Buffer.byteLength(body)
const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const tinyChunks = '1\r\nx\r\n'.repeat(10_000)
const kilobyte = 'x'.repeat(1024)

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
const post = (headers: readonly string[], content = '') =>
  get(contactPath, ...headers).replace('GET', 'POST') + content
/** A valid POST that the server must not process if it is inside another request. */
const hidden = `0\r\n\r\n${post([json, `Content-Length: ${length}`], body)}`
const many = (count: number) => Array.from({ length: count }, (_, number) => `X-${number}: y`)

const malformed: readonly Malformed[] = [
  ['a length too small', 400, post([json, 'Content-Length: 10'], body)],
  ['two lengths', 400, post([json, 'Content-Length: 5', `Content-Length: ${length}`], body)],
  ['a length of one byte too many', 413, post([json, `Content-Length: ${16 * 1024 + 1}`], 'x')],
  ['a length of a terabyte', 413, post([json, 'Content-Length: 1000000000000'])],
  ['endless chunks', 413, post([json, chunked]), `400\r\n${kilobyte}\r\n`],
  ['endless chunks of one byte', 413, post([json, chunked]), tinyChunks],
  ['endless chunks without a content type', 415, post([chunked]), tinyChunks],
  ['endless chunks after a GET of a page', 200, get('/', chunked), tinyChunks],
  ['a chunk with an endless extension', 413, post([json, chunked], '1;'), kilobyte],
  ['endless trailers', 431, post([json, chunked], '0\r\n'), 'A: b\r\n'.repeat(100)],
  ['10,000 headers', 431, post([...many(10_000), json], body)],
  ['100 headers', 431, post([...many(100), json], body)],
  ['endless headers', 431, 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'.repeat(100)],
  ['a header of 9,000 bytes', 431, post([json, `X: ${'y'.repeat(9000)}`], body)],
  ['a URL of 9,000 bytes', 431, get(`/${'a'.repeat(9000)}`)],
  ['a request hidden behind a length and chunks', 400, post([json, 'Content-Length: 6', chunked], hidden)],
  ['one behind a false encoding', 400, post([json, 'Transfer-Encoding: xchunked'], hidden)],
  ['one behind a space after the encoding', 400, post([json, 'Transfer-Encoding : chunked'], hidden)],
  ['one behind a space after the length', 400, post([json, `Content-Length : ${length}`], hidden)],
  ['TLS', 400, Buffer.from('16030100c8010000c40303', 'hex')],
]
/** Requests that only a timeout ends. */
const endless: readonly Malformed[] = [
  ['a length too large, then silence', 408, post([json, `Content-Length: ${length + 100}`], body)],
  ['a chunk of 2 GB, then silence', 408, post([json, chunked], '7fffffff\r\nx')],
  ['HTTP/0.9, then silence', 408, 'GET /\r\n'],
]
// After a valid request, the program keeps the connection open for 5 s, so one that closes sooner
// was closed on purpose.
const CLOSED_WITHIN_MS = 3_000
const TIMED_OUT_WITHIN_MS = 20_000

export const httpCases: FaultCase[] = [
  {
    family: 'raw HTTP',
    fault: `${malformed.length} malformed requests: of the wrong length, endless, too large, or with another hidden inside`,
    expected: 'the right status; after wrong framing, closed; nothing is stored; valid requests still work',
    run: () => expectRefused([malformed], CLOSED_WITHIN_MS),
  },
  {
    family: 'raw HTTP',
    fault: 'requests that never end',
    expected: 'closed within 20 s; nothing is stored, and valid requests still work',
    run: () =>
      expectRefused(
        endless.map((request) => [request]),
        TIMED_OUT_WITHIN_MS,
      ),
  },
  control({
    what: 'a request that never ends is closed',
    weakness: 'a body may take a minute',
    check: (weakness) => send(endless.slice(0, 1), TIMED_OUT_WITHIN_MS, weakness),
  }),
]

/** Sends the requests of a group one after the other, and the groups to a server each. */
async function expectRefused(groups: readonly (readonly Malformed[])[], withinMs: number) {
  const faults = (await Promise.all(groups.map((requests) => send(requests, withinMs)))).flat()
  expectThat(faults.length === 0, faults.join('; '))
  return `${groups.flat().length} refused, 0 stored`
}

/** Sends the requests between two valid ones, and returns what is wrong. */
async function send(requests: readonly Malformed[], withinMs: number, weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start({ weakness })
  await harness.client.post(program.url)
  const faults: string[] = []
  for (const request of requests) faults.push(...(await exchange(program.port, request, withinMs)))
  const error = program.lines.find((line) => line.includes('request failed'))
  if (error) faults.push(`an internal error: ${error}`)
  const entry = await harness.client.post(program.url)
  if (entry.statuses[0] !== 200) faults.push(`a valid request afterward: ${entry.statuses[0]}`)
  const code = await program.stop()
  if (code !== 0) faults.push(`exit code ${code}`)
  // Counted after the stop, because a hidden request could still be running before.
  const stored = await harness.query(async (stored) => (await stored.leads()).length)
  if (stored !== 2) faults.push(`${stored - 2} stored`)
  return faults
}

/**
 * Sends raw bytes. Returns what is wrong with the response (apart from "100 Continue"), or if the
 * server doesn't hang up.
 */
async function exchange(port: number, [what, expected, bytes, endless]: Malformed, withinMs: number) {
  const chunks: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const closed = new Promise<true>((done) => {
    for (const event of ['end', 'close']) socket.once(event, () => done(true))
  })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  if (endless) pour(socket, endless)
  const isClosed = await Promise.race([closed, sleep(withinMs, false)])
  socket.destroy()
  const response = Buffer.concat(chunks).toString('latin1')
  const statuses = [...response.matchAll(/^HTTP\/1\.1 ([2-9]\d\d)/gm)].map(([, status]) => status).join()
  // A client that is still sending when the server cuts the connection may lose the response.
  const isLost = endless !== undefined && statuses === ''
  return [
    ...(statuses === String(expected) || isLost ? [] : [`${what}: ${statuses || 'no response'}`]),
    ...(isClosed ? [] : [`${what}: still open`]),
  ]
}
