import { Readable } from 'node:stream'
import express from 'express'
import { pino } from 'pino'
import request from 'supertest'
import { expect, test } from 'vitest'
import { cleanFileName } from '../files/clean-file-name.ts'
import { streamFile } from './stream-file.ts'

const log = pino({ level: 'silent' })

/** Names, and parts of names, that could fool a person, a browser or a file system. */
const evil = [
  ...[
    '../../etc/passwd',
    '..\\..\\boot.ini',
    '/etc/passwd',
    'C:\\Users\\Ada\\plan.pdf',
    'file:///x',
    '//host/share',
  ],
  ...['.htaccess', '...', '. .', ' ', '', '.', '..', 'plan.pdf.', 'plan.pdf ', 'plan.pdf . .', ' plan.pdf'],
  ...['CON', 'con', 'aux.txt', 'NUL.tar.gz', 'prn .txt', 'COM1', 'lpt9.pdf', 'COM¹.txt', 'CONIN$', 'nul.'],
  ...[
    'plan\0.pdf',
    'plan.pdf\0.exe',
    'a\r\nSet-Cookie: x=1',
    'a\nb',
    'a\u2028b',
    'a\tb',
    '\u0085x',
    '\x1b[31mred',
  ],
  ...[
    'photo\u202Egpj.exe',
    '\u202Etxt.exe',
    'a\u2066b\u2069',
    '\u200Ea\u200F',
    'a\u061Cb',
    '\uFEFFa',
    'a\u200Bb.exe',
  ],
  ...[
    '"; filename="evil.exe',
    "a'b",
    'a"b',
    'a%22b',
    '%2e%2e%2fx',
    'a%00b',
    'a;b',
    "UTF-8''x",
    '=?utf-8?B?Li4v?=',
  ],
  ...[
    'a'.repeat(5_000),
    `${'a'.repeat(5_000)}.pdf`,
    `x.${'b'.repeat(5_000)}`,
    '.'.repeat(5_000),
    '/'.repeat(5_000),
  ],
  ...[
    'é'.repeat(300),
    '漢'.repeat(300),
    '🏠'.repeat(300),
    '\ud800',
    'a\udc00b',
    `a${'\u0301'.repeat(5_000)}`,
  ],
  ...[
    'a:b',
    'plan.pdf:stream',
    'a|b',
    'a<script>b',
    'a?b',
    'a*b',
    '~root',
    '$HOME',
    '`id`',
    '-rf',
    'CON\u200B',
  ],
]
/** What no name may have: separators, and what nobody sees. */
const hidden = /[/\\:*?"<>|\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u202a-\u202e\u2066-\u2069\ufeff]/u
const device = /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9]|conin\$)(?:\.|$)/i
const header =
  /^attachment; filename=(?:[\w!#$%&'*+.^`|~-]+|"[^"\\]*")(?:; filename\*=UTF-8''[\w%!#$&+.^`|~-]+)?$/
const endings = ['', '.html', '.svg', '.url']

test('no name leaves its folder, hides its ending, names a device, breaks a header, or is too long', async () => {
  const names = evil.flatMap((name) => endings.map((ending) => name + ending))
  expect(names.length).toBeGreaterThan(200)
  let sent = ''
  const app = express().get('/', (_request, response) =>
    streamFile(response, { name: sent, bytes: Readable.from([Buffer.from('<script>')]) }, log),
  )
  for (const name of names) {
    const clean = cleanFileName(name)
    expect([name, clean]).toEqual([name, expect.not.stringMatching(hidden)])
    expect([name, clean]).toEqual([name, expect.stringMatching(/^[^. ](?:.*[^. ])?$/)])
    expect([name, clean]).toEqual([name, expect.not.stringMatching(device)])
    expect([...clean].length).toBeLessThanOrEqual(201)
    expect(clean.isWellFormed()).toBe(true)
    sent = name
    const { headers } = await request(app).get('/')
    expect([name, headers['set-cookie'], headers['content-type']]).toEqual([
      name,
      undefined,
      'application/octet-stream',
    ])
    expect([name, headers['content-disposition']]).toEqual([name, expect.stringMatching(header)])
  }
})

test.each([
  ['image/gif', 'GIF87a'],
  ['image/webp', 'RIFF\x01\x02\x03\x04WEBP'],
  ['application/octet-stream', 'RIFF\x01\x02\x03\x04WAVE'],
])('a file is sent as %s if it begins with %j', async (type, beginning) => {
  const bytes = Readable.from([Buffer.from(beginning, 'latin1')])
  const app = express().get('/', (_, response) => streamFile(response, { name: 'a', bytes }, log))
  expect((await request(app).get('/')).headers['content-type']).toBe(type)
})

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['Grundriss 2. Stock (neu).pdf', 'Grundriss 2. Stock (neu).pdf'],
  ['Kosten: 1/2.pdf', '2.pdf'],
  ['Kosten 1:2.pdf', 'Kosten 1-2.pdf'],
  ['家の写真.jpg', '家の写真.jpg'],
  ['photo.jpg.exe', 'photo.jpg.exe'],
  ['photo\u202Egpj.exe', 'photogpj.exe'],
  ['aux.txt', '_aux.txt'],
  ['...', 'file'],
])('%j is sent as %j', (name, clean) => {
  expect(cleanFileName(name)).toBe(clean)
})

test('a long name keeps its ending', () => {
  expect(cleanFileName(`${'a'.repeat(5_000)}.numbers`)).toBe(`${'a'.repeat(192)}.numbers`)
})
