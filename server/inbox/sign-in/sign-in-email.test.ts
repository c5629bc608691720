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
