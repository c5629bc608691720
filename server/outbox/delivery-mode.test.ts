import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { findDeliveryMode, requeueWritten } from './delivery-mode.ts'

const smtpUrl = 'smtp://mail.example.com'

const site = useTestApp()

const submit = (message: string) => site.submit({ message })
const states = async () =>
  (await site.db.selectFrom('outbox').select('state').orderBy('id').execute()).map(({ state }) => state)
const requeueAll = () => requeueWritten(site.db, () => site.clock.now, new AbortController().signal)
const deliveryMode = (url: string | undefined) => findDeliveryMode(site.db, url)

async function sendOne(reply: { smtpCode: number | null; response: string }) {
  await site.outbox.recordSent(await claimEmail(site), site.clock.now, reply)
}

test('emails are written to files until SMTP_URL is set, and are held if it is missing later', async () => {
  expect(await deliveryMode(undefined)).toBe('files')
  expect(await deliveryMode(smtpUrl)).toBe('smtp')
  expect(await deliveryMode(undefined)).toBe('held')
  expect(await deliveryMode(smtpUrl)).toBe('smtp')
})

test('without SMTP_URL, emails are held if an older version has sent some by SMTP', async () => {
  await submit('1')
  await sendOne({ smtpCode: 250, response: '250 ok' })

  expect(await deliveryMode(undefined)).toBe('held')
})

test('without SMTP_URL, emails are still held after the sent ones have been erased', async () => {
  await submit('1')
  await sendOne({ smtpCode: 250, response: '250 ok' })
  await deliveryMode(undefined)
  await site.db.deleteFrom('leads').execute()

  expect(await deliveryMode(undefined)).toBe('held')
})

test('notices that were only written to files are requeued once', async () => {
  await submit('sent')
  await sendOne({ smtpCode: 250, response: '250 ok' })
  await submit('sent, with a reply that has no code')
  await sendOne({ smtpCode: null, response: '2500 ok' })
  await submit('only written')
  await deliverToFiles(site)

  expect(await requeueAll()).toBe(1)
  expect(await states()).toEqual(['sent', 'sent', 'queued'])
  await sendOne({ smtpCode: 250, response: '250 ok' })
  expect(await requeueAll()).toBe(0)
})

test('a notice that was only written to a file, and that a list replaced later, is not requeued again', async () => {
  await submit('only written')
  await deliverToFiles(site)
  await requeueAll()
  await site.outbox.recordListed(await claimEmail(site), site.clock.now)

  expect(await requeueAll()).toBe(0)
})

test('all notices are requeued, even if there are more than fit in one batch', async () => {
  await submit('only written')
  await deliverToFiles(site)
  const [email] = await site.db.selectFrom('outbox').selectAll().execute()
  const { id: _id, ...values } = email ?? ({} as never)
  const copies = Array(1001).fill(values)
  const ids = await site.db.insertInto('outbox').values(copies).returning('id as outbox_id').execute()
  const attempt = { at: '2026-03-02', outcome: 'sent', response: 'written to x.eml' } as const
  await site.db
    .insertInto('outbox_attempts')
    .values(ids.map((id) => ({ ...id, ...attempt })))
    .execute()

  expect(await requeueAll()).toBe(1002)
})
