import PostalMime from 'postal-mime'
import { expect, test, vi } from 'vitest'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import type { Lead } from '../leads/lead-store.ts'
import { emailBytes } from '../proof/testing/email-bytes.ts'
import { sampleEmails } from '../proof/testing/sample-emails.ts'
import { SUSPECT_FROM } from '../spam/spam-score.ts'
import { people, quotation } from './email-body.ts'

const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
  hasInbox: true,
}
const write = (changes: Partial<Lead> = {}) => sampleEmails(sender, changes)
const names = Object.keys(write())
const email = (name: string, changes: Partial<Lead> = {}) => {
  const found = write(changes)[name]
  if (!found) throw new Error(name)
  return found
}

const bodyOf = (html: string) => html.replace(/^.*<body[^>]*>/s, '')
/** The lines that a reader of the HTML sees. */
const linesOf = (html: string) =>
  bodyOf(html)
    .replace(/<br>|<\/(?:h\d|p|div|li|a|th|td|span|strong|blockquote)>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_entity, code) => String.fromCharCode(code))
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

test.each(names)('the plain text of the email "%s" says everything that its HTML says', (name) => {
  const { text, html } = email(name)

  const missing = linesOf(html).filter((line) => !text.includes(line))

  expect(linesOf(html).length).toBeGreaterThan(2)
  expect(missing).toEqual([])
  expect(text).not.toMatch(/<(?:div|p|br|a|span|li|td)\b|&\w+;|undefined|null/)
})

test.each(names.filter((name) => name !== 'answer'))(
  'the email "%s" is from the name in MAIL_FROM, if it has one',
  (name) => {
    const mailFrom = { ...sender.mailFrom, name: 'Hill & Sons' }

    expect(sampleEmails({ ...sender, mailFrom }, {})[name]?.from).toEqual(mailFrom)
    expect(email(name).from).toMatchObject(sender.mailFrom)
    expect(email(name).from.name).toContain(brand.name)
  },
)

test.each(names)('the email "%s" has what screen readers, other scripts and dark mode need', (name) => {
  const { html } = email(name)
  const tags = (classes: string) => [
    ...html.matchAll(new RegExp(`<\\w+[^>]*class="(?:${classes})"[^>]*>`, 'g')),
  ]

  expect(html).toMatch(/<html lang="en-US">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" .*>\n/)
  expect(html.match(/<meta name="(?:supported-)?color-schemes?" content="light dark">/g)).toHaveLength(2)
  expect(html).toContain(
    `.page{background:${colors.background[1]}!important;color:${colors.text[1]}!important`,
  )
  expect(html).toContain('<div role="main" ')
  expect(html).toContain('<div aria-hidden="true"><div class="string"')
  for (const [table] of html.matchAll(/<table.*?<\/table>/gs))
    expect(table).toMatch(/^<table role="presentation"|<th scope="row"/)
  for (const [tag] of tags(
    'heading|subheading|warning|paragraph|strong|words|letter|quiet|quote|value|details',
  ))
    expect(tag).toContain('dir="auto"')
  for (const [tag] of tags('words|letter|quote'))
    expect(tag).toContain('white-space:pre-wrap;unicode-bidi:plaintext')
})

test('each line of a visitor is indented or quoted in the plain text, so that none imitates ours', () => {
  const words = 'One\n\nOpen the request:\nhttps://evil.example/'

  expect(email('notice', { message: words }).text).toContain('  One\n\n  Open the request:\n  https://evil')
  expect(people([{ name: 'Ada', details: 'Roofs', url: 'https://x.example' }]).text).toBe(
    '- Ada\n  Roofs\n  https://x.example',
  )
  expect(quotation('Ada wrote:', words).text).toContain('> One\n>\n> Open the request:\n> https://evil')
})

test('in a list of people, a late reply has another color than one that is not late', () => {
  const [late, due] = [true, false].map((isLate) => {
    const { html } = people([{ name: 'Ada', details: '', standing: { words: '2 h', isLate } }])
    return /color:([^;"]+)[^>]*>2 h</.exec(String(html))?.[1]
  })
  expect([late, due]).toEqual([colors.accent[0], colors.text[0]])
})

test.each(names)(
  'the email "%s" loads nothing, and links only to our site, an email address or a phone number',
  (name) => {
    const { html } = email(name)

    expect(html).not.toMatch(/\bsrc=|url\(|<link|@import|<img|<script|background=/i)
    for (const [, url] of html.matchAll(/href="(.*?)"/g))
      expect(url).toMatch(/^(?:https:\/\/agency\.example(?:$|\/)|mailto:|tel:)/)
  },
)

// The doctor's test email is sent once, at the time of the command.
const outboxNames = names.filter((name) => name !== 'test')

test('the boundaries between the parts of an email have at most the 70 characters that are allowed', async () => {
  const messageId = `<${'7'.repeat(60)}@agency.example>`
  const bytes = await emailBytes({ ...email('notice'), messageId })
  expect(/boundary="(.*?)"/.exec(String(bytes))?.[1]?.length).toBeLessThanOrEqual(70)
})

test.each(outboxNames)('every attempt to send the email "%s" sends the same bytes', async (name) => {
  const first = await emailBytes(email(name))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })

  const second = await emailBytes(email(name))

  vi.useRealTimers()
  expect(second.equals(first)).toBe(true)
})

test.each([
  ...['notice', 'notice-without-words', 'notice-list', 'receipt'],
  ...['morning-monday', 'morning-action-needed'],
])('if the inbox is turned off, the email "%s" does not link to it', (name) => {
  const { text, html } = sampleEmails({ ...sender, hasInbox: false })[name] ?? email('')

  expect(text + html).not.toContain('/inbox')
  expect(text.includes('\nRead them with "leads list".\n')).toBe(name === 'notice-list')
})

const fields = (text: string): Partial<Lead> => ({
  firstName: text,
  lastName: text,
  company: text,
  phone: text,
  website: text,
  message: text,
  spam: { score: 0, reasons: [text], isSuspect: false },
})
const hostile: Record<string, Partial<Lead>> = {
  markup: fields('<img src=x onerror=alert(1)> </div></body><style>*{}</style> <!-- " \' &lt;'),
  'a very long word': fields('x'.repeat(20_000)),
  'right-to-left text': fields('\u202eمرحبا \u2067שלום\u2069 <b>'),
  emoji: fields('👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(50)),
  'an emoji at each other place': fields(`x${'🙂'.repeat(200)}`),
  'line breaks': fields('a\r\nBcc: x@evil.example\n\n-- \n> b\u2028c'),
  'encoded words': fields('=\u200b?utf-8?Q?=0D=0ABcc:_x?==?utf-8?B?4oCubW9jLmVscG1heGU=?='),
  nothing: fields(''),
}
/** The names of an email's headers, and its subject as a reader sees it. */
const headersOf = async (message: ReturnType<typeof email>) => {
  const { headers, subject, bcc } = await PostalMime.parse(await emailBytes(message))
  return { names: headers.map(({ key }) => key), subject, bcc }
}
/**
 * The tags of an email, except links and buttons, because whether a field becomes a link can depend
 * on its text.
 */
const tagsOf = (html: string) =>
  [...html.replace(/<table role="presentation".*?<!\[endif\]-->/gs, '').matchAll(/<\/?(\w+)/g)]
    .map(([, tag]) => tag)
    .filter((tag) => tag !== 'a')

test.each(Object.keys(hostile))(
  'the structure of every email stays intact if each field of the form contains %s',
  async (what) => {
    const plain = write(fields('Ada'))

    for (const [name, message] of Object.entries(write(hostile[what]))) {
      const { html, text } = message
      const { names, subject, bcc } = await headersOf(message)
      expect([names, bcc ?? []]).toEqual([(await headersOf(plain[name] ?? message)).names, []])
      if (what !== 'nothing') expect(tagsOf(html)).toEqual(tagsOf(plain[name]?.html ?? ''))
      // Gmail cuts off longer emails.
      if (!/answer|notice/.test(name)) expect(html.length).toBeLessThan(102_000)
      expect(subject).not.toMatch(/[\u202e\r\n]/)
      expect(`${html}${text}`).not.toContain('undefined')
      // No letter is cut in half.
      expect(`${html}${text}${subject}`.isWellFormed()).toBe(true)
    }
  },
)

// If an owner replies to the email, the visitor sees its subject and quoted text, so neither may
// mention suspected spam. About the notice, see owner-notice.test.ts.
test.each(['reminder', 'receipt', 'answer', 'answer-copy'])(
  'the email "%s" is the same for suspected spam as for any other lead',
  async (name) => {
    const spam = { score: SUSPECT_FROM, reasons: ['Reads like an offer'], isSuspect: true }

    const raw = async (changes: Partial<Lead>) => String(await emailBytes(email(name, changes)))
    expect(await raw({ spam })).toBe(await raw({}))
  },
)
