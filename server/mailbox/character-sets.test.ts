import { describe, expect, test } from 'vitest'
import { readMessage } from './read-message.ts'

const german = 'Schöne Grüße'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const hex = (bytes: string) => Buffer.from(bytes, 'hex')

/** What somebody has written, its bytes, and the character set that is named for them. */
type Writing = [text: string, bytes: Buffer, named?: string]
const writings: Record<string, Writing> = {
  'UTF-8': [german, Buffer.from(german), 'utf-8'],
  'UTF-8 without a name': [german, Buffer.from(german)],
  'UTF-8 as us-ascii': [german, Buffer.from(german), 'us-ascii'],
  'UTF-8 as iso-8859-1': [german, Buffer.from(german), '"iso-8859-1"'],
  'UTF-8 as windows-1251': ['Здравствуйте', Buffer.from('Здравствуйте'), 'windows-1251'],
  'UTF-8 as koi8-r': ['Здравствуйте', Buffer.from('Здравствуйте'), 'KOI8-R'],
  'UTF-8 as cp850': [german, Buffer.from(german), 'cp850'],
  'Latin-1': [german, latin1(german), 'iso-8859-1'],
  'Latin-1 without a name': [german, latin1(german)],
  'Latin-1 as UTF-8': [german, latin1(german), 'UTF-8'],
  'Latin-1 as unknown-8bit': [german, latin1(german), 'unknown-8bit'],
  'windows-1252 as iso-8859-1': ['„50 €“', latin1('\x8450 \x80\x93'), 'iso-8859-1'],
  'damaged UTF-8': [
    '您好\ufffd谢谢',
    Buffer.from([...Buffer.from('您好'), 0xe8, ...Buffer.from('谢谢')]),
    'utf-8',
  ],
  'windows-1251': ['Привет', hex('cff0e8e2e5f2'), 'windows-1251'],
  'koi8-r': ['Привет', hex('f0d2c9d7c5d4'), 'koi8-r'],
  cp850: ['für 5 ½', hex('668172203520ab'), 'cp850'],
  ibm850: ['für 5 ½', hex('668172203520ab'), '"IBM850"'],
  'utf-7': ['Schön + gut', latin1('Sch+APY-n +- gut'), 'UTF-7'],
  'iso-2022-kr': ['a 안녕 b', latin1('a \x0e>H3g\x0f b'), 'iso-2022-kr'],
}

const encodings: Record<string, (bytes: Buffer) => string> = {
  '8bit': (bytes) => bytes.toString('latin1'),
  'quoted-printable': (bytes) => [...bytes].map((byte) => `=${hexOf(byte)}`).join(''),
  base64: (bytes) => bytes.toString('base64'),
}
const hexOf = (byte: number) => byte.toString(16).toUpperCase().padStart(2, '0')

type Part = (type: string, before?: string, after?: string) => string
const multipart = (type: string, ...parts: string[]) =>
  `Content-Type: multipart/${type}; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`
const messages: Record<string, (part: Part) => string> = {
  'a plain message': (part) => part('text/plain'),
  'an HTML message': (part) => part('text/html', '<p>', '</p>'),
  'both forms': (part) => multipart('alternative', part('text/plain'), part('text/html', '<p>', '</p>')),
  'text, a photo, and text': (part) =>
    multipart('mixed', part('text/plain'), 'Content-Type: image/png; name=a.png\n\nx', part('text/plain')),
}

const read = async (source: string) =>
  (await readMessage(latin1(`From: ada@example.com\n${source}`.replace(/\n/g, '\r\n')))).text

describe.each(Object.entries(writings))('words are readable in %s', (_name, [text, bytes, named]) => {
  const cases = Object.keys(messages).flatMap((message) =>
    Object.keys(encodings).map((encoding) => [message, encoding] as const),
  )
  test.each(cases)('in %s (%s)', async (message, encoding) => {
    const part: Part = (type, before = '', after = '') => {
      const whole = Buffer.concat([latin1(before), bytes, latin1(after)])
      const charset = named ? `;\n charset=${named}` : ''
      return `Content-Type: ${type}${charset}\nContent-Transfer-Encoding: ${encoding}\n\n${encodings[encoding]?.(whole)}`
    }

    const lines = (await read(messages[message]?.(part) ?? '')).split('\n').filter(Boolean)

    expect(new Set(lines)).toEqual(new Set([text]))
  })
})

test.each([
  ['windows-1251', hex('cff0e8e2e5f2'), 'Привет'],
  ['koi8-r', hex('f0d2c9d7c5d4'), 'Привет'],
  ['iso-8859-2', hex('7a61bff3b3e6'), 'zażółć'],
  ['gb2312', hex('c4fabac3'), '您好'],
  ['shift_jis', hex('82b182f1'), 'こん'],
  ['cp850', hex('668172'), 'für'],
  ['iso-8859-1', hex('8435308093'), '„50€“'],
  ['utf-8', latin1(german), german],
])('without another name, HTML names its own character set: %s', async (charset, bytes, text) => {
  const metas = [`<meta charset="${charset}">`, `<META content='text/html; charset=${charset}'>`]
  for (const meta of metas)
    for (const type of ['text/html', 'text/html; charset=us-ascii', 'text/html; charset=unknown-8bit']) {
      const words = `${meta}<p>${bytes.toString('latin1')}`
      expect(await read(`Content-Type: ${type}\n\n${words}`)).toBe(text)
    }
})

test('the character set of a message, if it fits, counts more than what its HTML says', async () => {
  const html = '<meta charset=iso-8859-2><p>São'
  expect(
    await read(`Content-Type: text/html; charset=utf-8\n\n${Buffer.from(html).toString('latin1')}`),
  ).toBe('São')
  expect(await read(`Content-Type: text/html; charset=iso-8859-1\n\n${html}`)).toBe('São')
})

test('a single word that could be UTF-8 stays, as most lines are not', async () => {
  const text = 'Prix du marché\nSuite du marché\nMARCHÉ\xa0: 12'
  expect(await read(`Content-Type: text/plain; charset=iso-8859-1\n\n${text}`)).toBe(text)
})

test('headers that somebody writes into a message stay as they are', async () => {
  const text = 'Größe:\nContent-Type: text/html\n\nContent-Type: text/plain; charset=utf-8'
  expect(await read(`\n${text}`)).toBe(text)
})
