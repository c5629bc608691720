import { expect } from 'vitest'
import { testOnce } from '../proof/testing/build-test-app.ts'
import { MAX_BYTES } from './limits.ts'
import { readMessage } from './read-message.ts'

const head = 'From: Ada <ada@example.com>\r\nMessage-ID: <1@example.com>\r\n'
const fill = (unit: string, length = MAX_BYTES) => unit.repeat(Math.ceil(length / unit.length))
const manyFields = (unit: string) =>
  `To: ${fill(unit, 3_800).replace(/[\r\n]+(?![ \t])/g, '')}\r\n`.repeat(32)
const part = (fields: string, body: string) =>
  `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\n${fields}\r\n\r\n${body}`
const report = (body: string) =>
  part('Content-Type: message/delivery-status', body).replace('mixed', 'report')

/** Where a stranger can put something, again and again. */
const places: Record<string, (unit: string) => string> = {
  text: (unit) => `${head}\r\nHi\r\n${fill(unit)}`,
  'quoted-printable': (unit) => `${head}Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill(unit)}`,
  'flowed text': (unit) => `${head}Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${fill(unit)}`,
  HTML: (unit) => `${head}Content-Type: text/html\r\n\r\n${fill(unit)}`,
  headers: (unit) => `${head}${fill(unit)}`,
  'one field': (unit) => `${head}Subject: ${fill(unit)}\r\n\r\nHi`,
  'many fields': (unit) => `${head}${manyFields(unit)}\r\nHi`,
  'the type of a part': (unit) => part(`Content-Type: text/html; name=${fill(unit)}`, 'Hi'),
  parts: (unit) => `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${fill(unit)}`,
  'a report': (unit) => report(fill(unit)),
  'an email that is returned': (unit) =>
    `${report(`Action: failed`)}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nTo: ${fill(unit)}`,
}

/** What costs time in some program or other. */
const units = [
  ...['\r\n', '\n', ' \n', 'x\r\n', '\r\n\t', ' ', 'x'],
  ...['>', '> \r\n', '-- \r\n', '>* ', 'On x', 'Am schrieb', '<a@b'],
  ...['<', '<a b=c ', '<b>', '<div>', '<br>', '<table><tr><td>', '<blockquote>', '<hr>'],
  ...['<!--', '<script>', '<a href="x">y</a>', '</', '&', '&#x41;', '<svg>'],
  ...['=', '=\r\n', '=20', 'QUJD', '=?utf-8?Q?=41?= ', '=?utf-8?B?', 'a\u0301', '\u202e'],
  ...['(', '"', ':', ',', 'a@b.example, ', 'g:a@b.example;'],
  ...['--b\r\n', '--b\r\n\r\nx\r\n', '--b\r\nContent-Type: message/rfc822\r\n\r\nX: y\r\n\r\n', '--b--\r\n'],
]

/** The time of this thread alone: others may be busy. */
async function costOf(source: string): Promise<number> {
  const bytes = Buffer.from(source).subarray(0, MAX_BYTES)
  const start = process.threadCpuUsage()
  await readMessage(bytes)
  const { user, system } = process.threadCpuUsage(start)
  return user + system
}

/** The least of some tries: garbage is collected in the others. */
async function leastOf(source: string, tries: number, enough = 0): Promise<number> {
  const cost = await costOf(source)
  return cost <= enough || tries === 1 ? cost : Math.min(cost, await leastOf(source, tries - 1, enough))
}

// A letter in HTML, with ordinary tags and lines.
const letter = `${head}Content-Type: text/html\r\n\r\n${fill(`<p>${'word '.repeat(14)}</p>\r\n`)}`

testOnce(
  'whatever strangers repeat, a message takes no longer than six letters of its size',
  async () => {
    const limit = 6 * (await leastOf(letter, 10))
    const slow: string[] = []
    for (const [place, put] of Object.entries(places))
      for (const unit of units)
        if ((await leastOf(put(unit), 4, limit)) > limit) slow.push(`${place}: ${JSON.stringify(unit)}`)
    expect(slow).toEqual([])
  },
  120_000,
)
