import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail, deliverToFiles } from '../proof/testing/outbox.ts'
import { findDeliveryMode } from './delivery-mode.ts'
import { requeueWritten } from './resend.ts'

const smtpUrl = 'smtp://mail.example.com'

const site = useTestApp()

const submit = (message: string) => site.submit({ message })
const states = async () =>
  (await site.db.selectFrom('outbox').select('state').orderBy('id').execute()).map(({ state }) => state)
const sendOne = async () =>
  site.outbox.record(await claimEmail(site), site.clock.now, 'sent', { smtpCode: 250, response: '250 ok' })

test('emails are written to files until SMTP_URL is set for the first time, and are held if it is missing later', async () => {
  const modes: string[] = []
  for (const url of [undefined, smtpUrl, undefined, smtpUrl]) modes.push(await findDeliveryMode(site.db, url))

  expect(modes).toEqual(['files', 'smtp', 'held', 'smtp'])
})

test('once there is a mail server, the notices that were only written to files are sent, but no other emails', async () => {
  await submit('sent')
  await sendOne()
  await submit('only written')
  await submit('a copy of an answer')
  await deliverToFiles(site)
  await site.db.updateTable('outbox').set({ kind: 'answer_copy' }).where('id', '=', 3).execute()
  expect(await states()).toEqual(['sent', 'file', 'file'])

  expect(await requeueWritten(site.db, site.clock.now)).toBe(1)
  expect(await states()).toEqual(['sent', 'queued', 'file'])
  await sendOne()
  expect(await requeueWritten(site.db, site.clock.now)).toBe(0)
})

test('a notice that was only written to a file, and that a list replaced later, is not sent again', async () => {
  await submit('only written')
  await deliverToFiles(site)
  await requeueWritten(site.db, site.clock.now)
  const reply = { smtpCode: null, response: '' }
  await site.outbox.record(await claimEmail(site), site.clock.now, 'listed', reply)

  expect(await requeueWritten(site.db, site.clock.now)).toBe(0)
})
