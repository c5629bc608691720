import { expect, test } from 'vitest'
import { checkSettings } from './settings.ts'

test('every invalid setting is reported, and no value is shown', () => {
  const { env, found } = checkSettings({ CONTACT_LIMIT: 'hunter2', LOG_LEVEL: 'loud' })

  expect(env).toBeUndefined()
  expect(found).toMatchObject([
    { state: 'problem', seen: 'CONTACT_LIMIT has an invalid value. Expected a whole number.' },
    { state: 'problem', seen: expect.stringMatching(/^LOG_LEVEL has an invalid value/) },
  ])
})

test.each([
  ['MAILTO', 'Write MAIL_TO instead.'],
  ['SMPT_URL', 'Write SMTP_URL instead.'],
  ['TRUSTPROXY', 'Write TRUST_PROXY instead.'],
  ['SITE-URL', 'Write SITE_URL instead.'],
  ['VISITOR_RECEIPTS', 'Write VISITOR_RECEIPT instead.'],
  ['REMINDER', 'Write REMINDERS instead.'],
  ['SMTP_HOST', 'See .env.example for all settings.'],
])('the misspelled setting %s is reported: %s', (name, advice) => {
  expect(checkSettings({ [name]: 'x' }).found).toEqual([
    { state: 'warning', seen: `${name} is set, but there is no such setting.`, advice },
  ])
})
