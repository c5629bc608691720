import { expect, test } from 'vitest'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { browserInWords } from './sessions.ts'
import { type SignInNews, signInEmail } from './sign-in-email.ts'

const times = { at: '2026-03-02T15:00:00.000Z', endsAt: '2026-03-02T15:10:00.000Z' }

const job = { recipient: 'owner@agency.example', messageId: '<sign-in-1234@agency.example>' }

const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
}

const write = (news: SignInNews) => signInEmail(news, job, sender)

const codeEmail = (isKnown = false) =>
  write({ what: 'code', code: 'K7MF29QX', browser: 'Chrome on Android', isKnown, ...times })

// A locked phone shows the subject and about two lines.
const PREVIEW_CHARACTERS = 150

test('the email has the code, the browser that asked for it, and a link that contains the code', () => {
  // The plain text says the same: see every-email.test.ts.
  const { html, isAutomatic } = codeEmail()
  expect(isAutomatic).toBe(true)

  expect(html).toContain('K7MF-29QX')
  expect(html).toContain('https://agency.example/inbox/sign-in#code=K7MF29QX')
  expect(html).toContain('Chrome on Android asked for this code')
  expect(html).toContain(officeTimeInWords(Date.parse(times.at)))
})

test('a report says what happened, in which browser, and who did it', () => {
  const browser = 'Firefox on Linux'
  const passkey = { browser, by: 'bob@agency.example', name: 'My phone', ...times }

  const { text } = write({ what: 'new_browser', browser, ...times })
  expect(text).toContain('Firefox on Linux signed in to')
  expect(text).toContain('https://agency.example/inbox/access')
  for (const [what, did] of [
    ['passkey_added', 'added the'],
    ['passkey_removed', 'removed your'],
  ] as const) {
    const sentence = `bob@agency.example ${did} passkey "My phone" with ${browser}, on ${officeTimeInWords(Date.parse(times.at))}`
    expect(write({ what, ...passkey }).text.replace(/\s+/g, ' ')).toContain(sentence)
  }
  // The name of the file may not say when the backup was made.
  for (const [backupAt, of] of [
    [null, ''],
    [times.at, ` of ${officeTimeInWords(Date.parse(times.at))}`],
  ] as const)
    expect(write({ what: 'restored', backupAt, ...times }).html).toContain(`restored from a backup${of}. `)
})

test('a locked phone does not show the code that a new browser asked for', () => {
  const { subject, text, html } = codeEmail()
  const words = html.replace(/^.*<body[^>]*>/s, '').replace(/<[^>]*>/g, '')

  for (const shown of [subject, text.slice(0, PREVIEW_CHARACTERS), words.slice(0, PREVIEW_CHARACTERS)])
    expect(shown).not.toMatch(/K7MF/)
})

test('the subject begins with the code that a known browser asked for', () => {
  expect(codeEmail(true).subject).toBe('K7MF-29QX: Sign in to the inbox at agency.example')
})

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'

const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'],
  [`Mozilla/5.0 (Linux; Android 15; K) ${blink} EdgA/141.0.0.0`, 'Edge on Android'],
  [`Mozilla/5.0 (X11; CrOS x86_64) ${blink} OPR/125.0.0.0`, 'Opera on ChromeOS'],
  [`${iPhone} ${webkit} Version/26.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iPhone} ${webkit} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`, 'Safari on Mac'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'An unknown browser'],
  ['<b>Your bank</b>, call +1 900 555 0199', 'An unknown browser'],
  ['', 'An unknown browser'],
  [undefined, 'An unknown browser'],
])('the user agent %j is described as "%s"', (userAgent, words) => {
  expect(browserInWords(userAgent)).toBe(words)
})
