import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { entriesKept, mailCut, sendsAgainAt } from '#brand/words/outcome.ts'
import { brand } from '#facts/brand.ts'
import { FailedNotice, formatEntries, mailtoLink } from './failed-notice.tsx'
import type { FormValues } from './form-values.ts'

const values: FormValues = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  message: 'R&D, 100%\nplease',
  phone: ' ',
  company: '',
  website: '',
  budget: '',
}

test('what went wrong and what is kept are two sentences', () => {
  const html = renderToStaticMarkup(FailedNotice({ detail: 'It failed.', values, retryAt: undefined }))

  expect(html).toContain(`It failed. ${entriesKept.trim()}`)
})

test('the email text lists the fields that are filled in', () => {
  expect(formatEntries(values)).toBe(
    'First name: Ada\nLast name: Lovelace\nEmail: ada@example.com\nMessage: R&D, 100%\nplease',
  )
})

test('the email link contains our address and the email text', () => {
  const link = new URL(mailtoLink(values))

  expect(link.pathname).toBe(brand.email)
  expect(link.searchParams.get('body')).toBe(formatEntries(values).replaceAll('\n', '\r\n'))
})

test('long text is cut between characters, so that the link still works', () => {
  // Half a character can't be encoded.
  const link = mailtoLink({ ...values, message: `\ud83d\ud83d${'🏠'.repeat(2500)}` })

  expect(link.length).toBeLessThanOrEqual(2000)
  expect(new URL(link).searchParams.get('body')).toSatisfy((text: string) =>
    text.endsWith(`🏠\r\n${mailCut}`),
  )
})

test('when a request is sent again has its time and, on another day, the day, as words of their own', () => {
  expect(sendsAgainAt('9:07 AM')).toMatch(/ 9:07 AM\W/)
  expect(sendsAgainAt('9:07 AM', 'Monday')).toMatch(/ 9:07 AM .* Monday\W/)
})
