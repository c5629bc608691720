import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Bytes, RawRequest } from './exchange-raw.ts'

/** A request that no real client sends. `expected` lists the response statuses: none if the server hangs up. */
export type MalformedRequest = RawRequest & {
  what: string
  expected: readonly number[]
  /** The connection may stay open. */
  mayStayOpen?: boolean
}

const body = JSON.stringify(sampleRequest())
const length = Buffer.byteLength(body)
const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const bomb = Buffer.alloc(10_000_000)
const tinyChunks = '1\r\nx\r\n'.repeat(10_000)
const kilobyte = 'x'.repeat(1024)
const slow = { patienceMs: 20_000 }

const post = (headers: readonly string[], content: Bytes = '') =>
  Buffer.concat([
    Buffer.from([`POST ${contactPath} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')),
    Buffer.from(content),
  ])
/** A correctly framed POST with any content. */
const posted = (content: Bytes, type = json, ...headers: string[]) =>
  post([type, `Content-Length: ${Buffer.byteLength(content)}`, ...headers], content)
const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
/** A valid POST that the server must not process if it is inside another request. */
const hidden = posted(body).toString()
const messageOf = (bytes: string) =>
  Buffer.from(JSON.stringify(sampleRequest({ message: 'HERE' })).replace('HERE', bytes), 'latin1')

const refused = (what: string, bytes: Bytes, more: Partial<MalformedRequest> = {}): MalformedRequest => ({
  what,
  bytes,
  expected: [400],
  ...more,
})
/** A request that is refused for its content, not for its framing, so the connection may stay open. */
const invalid = (what: string, bytes: Bytes, status = 400): MalformedRequest =>
  refused(what, bytes, { expected: [status], mayStayOpen: true })
const tooLarge = (what: string, bytes: Bytes, endless?: Bytes): MalformedRequest =>
  refused(what, bytes, { expected: [413], ...(endless && { endless }) })
const tooManyHeaders = (what: string, bytes: Bytes, endless?: Bytes): MalformedRequest =>
  refused(what, bytes, { expected: [431], ...(endless && { endless }) })

export const malformedRequests = {
  'a wrong Content-Length': [
    refused('too small', post([json, 'Content-Length: 10'], body)),
    refused('too large, then the end of the stream', post([json, `Content-Length: ${length + 100}`], body), {
      isHalfClosed: true,
    }),
    refused('two different values', post([json, 'Content-Length: 5', `Content-Length: ${length}`], body)),
    refused('the same value twice', post([json, ...Array(2).fill(`Content-Length: ${length}`)], body)),
    refused('a list of two values', post([json, `Content-Length: ${length}, ${length}`], body)),
    ...['-5', '+5', '0x10', 'many', '99999999999999999999999'].map((value) =>
      refused(value, post([json, `Content-Length: ${value}`], body)),
    ),
    tooLarge('one byte too many', post([json, `Content-Length: ${16 * 1024 + 1}`], 'x')),
    tooLarge('a terabyte', post([json, 'Content-Length: 1000000000000'])),
    tooLarge(
      'a megabyte announced with Expect: 100-continue',
      post([json, 'Expect: 100-continue', 'Content-Length: 1000000']),
    ),
    invalid('an unknown Expect', posted(body, json, 'Expect: 200-ok'), 417),
    invalid('no length', post([json])),
  ],
  'malformed or endless chunks': [
    tooLarge('endless', post([json, chunked]), `400\r\n${kilobyte}\r\n`),
    tooLarge('endless, one byte each', post([json, chunked]), tinyChunks),
    refused('endless, one byte each, without a content type', post([chunked]), {
      expected: [415],
      endless: tinyChunks,
    }),
    refused('endless, one byte each, after a GET of a page', get('/', chunked), {
      expected: [200],
      endless: tinyChunks,
    }),
    refused('endless, one byte each, after a GET of an unknown page', get('/nope', chunked), {
      expected: [404],
      endless: tinyChunks,
    }),
    tooLarge('an endless extension', post([json, chunked], '1;'), kilobyte),
    tooLarge('endless extensions', post([json, chunked]), `1;a=${kilobyte}\r\nx\r\n`),
    tooManyHeaders('endless trailers', post([json, chunked], '0\r\n'), 'A: b\r\n'.repeat(100)),
    ...['zz', '-1', 'fffffffffffffffff', '', '0x5'].map((size) =>
      refused(`size "${size}"`, post([json, chunked], `${size}\r\nhello\r\n0\r\n\r\n`)),
    ),
    refused('longer than its size', post([json, chunked], '3\r\nabcdef\r\n0\r\n\r\n')),
    refused('bare line feeds', post([json, chunked], `${length.toString(16)}\n${body}\n0\n\n`)),
  ],
  'too many, too long or malformed headers': [
    tooManyHeaders('10,000', post([...Array.from({ length: 10_000 }, (_, n) => `X-${n}: y`), json], body)),
    tooManyHeaders('100', post([...Array.from({ length: 100 }, (_, n) => `X-${n}: y`), json], body)),
    tooManyHeaders('endless', 'GET / HTTP/1.1\r\nHost: localhost\r\n', 'X: y\r\n'.repeat(100)),
    tooManyHeaders('a value of 9,000 bytes', post([json, `X: ${'y'.repeat(9000)}`], body)),
    tooManyHeaders('a name of 9,000 bytes', post([json, `${'y'.repeat(9000)}: x`], body)),
    tooManyHeaders('a URL of 9,000 bytes', get(`/${'a'.repeat(9000)}`)),
    refused('NUL in a value', posted(body, json, 'X: a\0b')),
    refused('NUL in the URL', get('/\0')),
    refused('a folded header', posted(body, json, 'X: a', ' b: c')),
    refused('a bare carriage return', posted(body, json, 'X: a\rY: b')),
    refused('bare line feeds', hidden.replaceAll('\r\n', '\n')),
    refused('no Host', 'GET / HTTP/1.1\r\n\r\n'),
  ],
  'a body that expands': [
    invalid('gzip of 10 MB', posted(gzipSync(bomb), json, 'Content-Encoding: gzip'), 415),
    invalid('deflate of 10 MB', posted(deflateSync(bomb), json, 'Content-Encoding: deflate'), 415),
    invalid('br of 10 MB', posted(brotliCompressSync(bomb), json, 'Content-Encoding: br'), 415),
    invalid('gzip, not declared', posted(gzipSync(bomb))),
    invalid('arrays nested 8,000 deep', posted('['.repeat(8000) + ']'.repeat(8000))),
    invalid('objects nested 2,700 deep', posted(`${'{"a":'.repeat(2700)}1${'}'.repeat(2700)}`)),
    invalid('16,000 unclosed brackets', posted('['.repeat(16_000))),
    invalid(
      'arrays nested 7,000 deep in a field',
      posted(
        JSON.stringify({ ...sampleRequest(), message: [] }).replace(
          '[]',
          '['.repeat(7000) + ']'.repeat(7000),
        ),
      ),
    ),
    ...['null', '1', '[]', '"x"', '', '{"__proto__":{"firstName":"a"},"constructor":{}}'].map((content) =>
      invalid(content || 'nothing', posted(content)),
    ),
  ],
  'text that is not UTF-8': [
    invalid('utf-16', posted(Buffer.from(body, 'utf16le'), `${json}; charset=utf-16`), 415),
    invalid('utf-16, not declared', posted(Buffer.from(body, 'utf16le'))),
    invalid('utf-7', posted(body, `${json}; charset=utf-7`), 415),
    invalid('no type at all', posted(body, 'Content-Type: ;;;'), 415),
    invalid('an overlong NUL', posted(messageOf('\xc0\x80'))),
    invalid('half a surrogate pair', posted(messageOf('\xed\xa0\x80'))),
    invalid('half a surrogate pair, escaped', posted(messageOf('\\ud800'))),
    invalid('the byte 0xff', posted(messageOf('\xff'))),
    invalid('cut off inside a character', posted(messageOf('\xe2\x82'))),
    invalid('NUL', posted(messageOf('\0'))),
    invalid('NUL, escaped', posted(messageOf('\\u0000'))),
    invalid(
      'the byte 0xff in a form',
      posted(
        'firstName=A&lastName=B&email=a%40b.example&message=%ff',
        'Content-Type: application/x-www-form-urlencoded',
      ),
    ),
  ],
  'a request hidden in another': [
    refused(
      'after a body with both a length and chunks',
      post([json, 'Content-Length: 6', chunked], `0\r\n\r\n${hidden}`),
    ),
    refused(
      'in a chunk, with a length',
      post([json, chunked, 'Content-Length: 4'], `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`),
    ),
    ...[
      'Transfer-Encoding: xchunked',
      'Transfer-Encoding: chunked, identity',
      'Transfer-Encoding: identity',
      `${chunked}\r\nTransfer-Encoding: x`,
      'Transfer-Encoding : chunked',
      'Transfer-Encoding:\tchunked\r\nContent-Length: 5',
      'Transfer-Encoding: \x0bchunked',
      `Content-Length : ${length}`,
    ].map((header) => refused(JSON.stringify(header), post([json, header], `0\r\n\r\n${hidden}`))),
    {
      what: 'in the body of a GET',
      bytes: get('/', `Content-Length: ${hidden.length}`) + hidden,
      expected: [200],
      mayStayOpen: true,
    },
    invalid('in a header', get(`/x HTTP/1.1\r\nX: ${contactPath}`), 404),
  ],
  'not HTTP/1.1': [
    refused('HTTP/0.9', 'GET / \r\n\r\n'),
    refused('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
    refused('HTTP/3.0', 'GET / HTTP/3.0\r\nHost: localhost\r\n\r\n'),
    refused('TLS', Buffer.from('16030100c8010000c40303', 'hex')),
    refused('random bytes', Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919 + 13) & 255))),
    refused('an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    refused('CONNECT', 'CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', { expected: [] }),
    invalid('an upgrade to HTTP/2', post(['Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 0']), 415),
    invalid('a URL that cannot be decoded', get('/%E0%A4%A'), 404),
    invalid('a URL above the root', get('/../../etc/passwd'), 404),
  ],
} satisfies Record<string, readonly MalformedRequest[]>

/** Requests that only a timeout ends. */
export const endlessRequests: readonly MalformedRequest[] = [
  refused('a length too large, then silence', post([json, `Content-Length: ${length + 100}`], body), {
    expected: [408],
    ...slow,
  }),
  refused('a chunk of 2 GB, then silence', post([json, chunked], '7fffffff\r\nx'), {
    expected: [408],
    ...slow,
  }),
  refused('HTTP/0.9, then silence', 'GET /\r\n', { expected: [408], ...slow }),
  refused('a terabyte without a content type', post(['Content-Length: 1000000000000']), {
    expected: [415],
    ...slow,
  }),
]
