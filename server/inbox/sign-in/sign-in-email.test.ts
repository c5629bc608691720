import { expect, test } from 'vitest'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { type SignInNews, signInEmail } from './sign-in-email.ts'

const times = { at: '2026-03-02T15:00:00.000Z', endsAt: '2026-03-02T15:10:00.000Z' }
const job = { recipient: 'owner@agency.example', messageId: '<sign-in-1234@agency.example>' }
const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
}
const write = (news: SignInNews) => signInEmail(news, job, sender)
const codeEmail = () => write({ what: 'code', code: 'K7MF29QX', browser: 'Chrome on Android', ...times })

// A locked phone shows the subject and about two lines.
const PREVIEW_CHARACTERS = 150

test('the email has the code, the browser that asked for it, and a link that contains the code', () => {
  const { text, html } = codeEmail()

  for (const body of [text, html]) {
    expect(body).toContain('K7MF-29QX')
    expect(body).toContain('https://agency.example/inbox/sign-in#code=K7MF29QX')
    expect(body).toContain('Chrome on Android asked for a code')
    expect(body).toContain(officeTimeInWords(Date.parse(times.at)))
  }
})

test('a locked phone does not show the code', () => {
  const { subject, text, html } = codeEmail()
  const words = html.replace(/^.*<body[^>]*>/s, '').replace(/<[^>]*>/g, '')

  for (const shown of [subject, text.slice(0, PREVIEW_CHARACTERS), words.slice(0, PREVIEW_CHARACTERS)])
    expect(shown).not.toMatch(/K7MF/)
})

test.each(['new_browser', 'passkey_added', 'passkey_removed'] as const)(
  'the email "%s" links to the page where owners manage access, and escapes names',
  (what) => {
    const news = { what, browser: 'Chrome on Android', name: 'My <b>phone</b>', by: 'bob@agency.example' }

    const { text, html, subject } = write({ ...news, ...times })

    expect(subject).toContain('the inbox at agency.example')
    expect(text).toContain('https://agency.example/inbox/access')
    expect(html).not.toContain('<b>')
  },
)

test.each([
  ['2026-03-01T08:00:00.000Z', /a backup of .*Sunday/],
  [null, /from a backup, and the website/],
])(
  'the email about a restore says from when the data is, and how to get in again (%s)',
  (backupAt, expected) => {
    const { subject, text } = write({ what: 'restored', backupAt, ...times })

    expect(subject).toBe('A backup was restored for the inbox at agency.example')
    expect(text.replace(/\s+/g, ' ')).toMatch(expected)
    expect(text.replace(/\s+/g, ' ')).toContain(
      'Sign in with a code that we email to you. Then add a passkey again',
    )
  },
)
