import { expect, test } from 'vitest'
import { checkArrivals } from '../doctor/arrivals.ts'
import { readSummary } from '../inbox/summary.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../proof/testing/leads.ts'
import { ada, bounceOf, mailboxTools } from '../proof/testing/mailbox.ts'
import { createArrivalCheck, noteArrivals } from './arrivals.ts'

const HOUR_MS = 60 * 60_000
const site = useTestApp({ mailTo: [anna, bob] })
const { submit } = leadTools(site)
const { deliver, takeIn } = mailboxTools(site)

/** Sends a notice to each owner. Returns the Message-ID of the one to Bob. */
async function notify() {
  await submit()
  site.advanceClock(HOUR_MS)
  await deliver()
  const emails = site.db.selectFrom('outbox').select('message_id').where('recipient', '=', bob)
  return (await emails.orderBy('id', 'desc').executeTakeFirstOrThrow()).message_id
}
const comeBack = (messageId: string, to = bob) =>
  takeIn({ from: '', body: bounceOf(messageId).replace(ada, to) })

/** What the inbox and doctor say about email. */
async function says() {
  await createArrivalCheck(site.context)(new AbortController().signal)
  const env = { ...site.context.env, SMTP_URL: 'smtp://x' }
  const { mail } = await readSummary({ db: site.db, env }, site.clock.now)
  return [mail.state, (await checkArrivals({ db: site.db, env })).seen]
}
const fine = ['ok', expect.stringMatching(/^It is not known/)]
const words = `An email about a request to ${bob} has come back.`

test('a notice that comes back from an owner is said until a later one has not come back for a day', async () => {
  expect(await says()).toEqual(fine)
  const first = await notify()
  expect(await says()).toEqual(fine)
  const leads = await site.db.selectFrom('leads').selectAll().execute()
  await comeBack(first)
  expect(await says()).toEqual(['returned', words])
  expect(await site.db.selectFrom('leads').selectAll().execute()).toEqual(leads)

  await comeBack(await notify())
  site.advanceClock(25 * HOUR_MS)
  expect(await says()).toEqual(['returned', words])

  await notify()
  site.advanceClock(23 * HOUR_MS)
  expect(await says()).toEqual(['returned', words])
  site.advanceClock(HOUR_MS)
  expect(await says()).toEqual(fine)
})

test('what has also arrived, because it was forwarded as well, has not come back', async () => {
  await says()
  const messageId = await notify()
  await comeBack(messageId)
  await noteArrivals(site.db, [{ messageId }], 'inbox')

  expect((await says())[0]).toBe('ok')
})

test('another address of an owner is another matter', async () => {
  await says()
  await comeBack(await notify())
  expect(await says()).toEqual(['returned', words])

  Object.assign(site.context.env, { MAIL_TO: [anna, 'robert@agency.example'] })
  expect(await says()).toEqual(fine)
})

test.each<[string, (id: string) => string, string?]>([
  ['an email that we have not sent', (id) => id.replace('.', '.0')],
  ['one to somebody else', (id) => id, 'eve@example.com'],
  ['the one to another owner', (id) => id, anna],
])('a report about %s changes nothing', async (_which, named, to) => {
  await says()
  await comeBack(named(await notify()), to)

  expect(await says()).toEqual(fine)
})
