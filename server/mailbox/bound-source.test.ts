import { expect, test } from 'vitest'
import { boundSource, endOfHeaders } from './bound-source.ts'
import { MAX_FIELD_BYTES, MAX_FIELDS, MAX_PARTS } from './limits.ts'
import { readMessage } from './read-message.ts'

const bounded = (source: string) => boundSource(Buffer.from(source, 'latin1')).source.toString('latin1')
const many = (part: string, count: number) => part.repeat(count)

test.each([
  'Subject: Hi\r\nFrom: ada@example.com\r\n\r\nHello\r\n',
  'Subject: a\r\n folded\r\n line\r\n\r\n',
  'Subject: no body',
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${many('--b\r\n\r\nx\r\n', MAX_PARTS - 1)}--b--\r\n`,
  `Subject: dashes\r\n\r\n${many('-- \r\n', MAX_PARTS + 10)}end`,
])('an ordinary message stays as it is (%#)', (source) => {
  expect(bounded(source)).toBe(source)
})

test('a long field is cut off, but of References the end is kept', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `<${index}@example.com>`)
  const source = `Subject: ${many('x', 60_000)}\r\nReferences: ${ids.join('\r\n ')}\r\nFrom: a@b.example\r\n\r\nHello`
  const [subject = '', references = ''] = bounded(source).split(/\r\n(?! )/)
  expect(subject).toHaveLength(MAX_FIELD_BYTES)
  expect(references.length).toBeLessThan(MAX_FIELD_BYTES + 20)
  expect(references).toMatch(/<999@example\.com>$/)
  expect(bounded(source)).toMatch(/From: a@b\.example\r\n\r\nHello$/)
})

test('fields of the same name share the limit', () => {
  const source = `${many(`To: ${many('x', 2_500)}\r\n`, 9)}Subject: Hi\r\n\r\nHello`
  expect(bounded(source)).toMatch(/^(?:To: x+\r\n){2}Subject: Hi\r\n\r\nHello$/)
})

test('only so many fields and parts are read', async () => {
  expect(bounded(`${many('X: y\r\n', 10_000)}\r\nHello`).split('X: y')).toHaveLength(MAX_FIELDS + 1)
  const parts = many('--b\r\nContent-Type: text/plain\r\n\r\nx\r\n', MAX_PARTS * 2)
  const message = await readMessage(
    Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\nbefore\r\n${parts}`),
  )
  expect(message.text.split('x').length).toBeLessThan(MAX_PARTS + 5)
  expect(message.text.length).toBeGreaterThan(0)
})

test.each([
  ['X: y\r\n\r\nHi', 4],
  ['X: y\n\nHi', 4],
  ['X: y\r\n\r\r\nHi\r\n\r\n', 4],
  ['\r\nHi\r\n\r\n', 0],
  ['X: y', 4],
])('headers end at the first empty line (%j)', (source, end) => {
  expect(endOfHeaders(Buffer.from(source))).toBe(end)
})
