import { expect, test } from 'vitest'
import { requeueLead } from '../../outbox/requeue.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { bounceReceipt } from '../../proof/testing/leads.ts'
import { readNewestChanges } from '../live/live-routes.ts'
import { listLeads, searchLeads } from './lists.ts'
import { readLead } from './read-lead.ts'

const site = useTestApp({ sendsReceipts: true })

/** What the list, the search and the lead's page say about the address. */
async function doubtsAbout(reference: string) {
  const { now } = site.clock
  const { leads } = await listLeads(site.db, { view: 'open', after: undefined, now })
  const found = await searchLeads(site.db, { search: reference })
  const lead = await readLead(site.db, { reference, owner: '', now, sendsReceipts: true })
  const listed = leads.find((row) => row.reference === reference)
  return [listed, found.leads[0], lead].map((row) => row?.addressDoubt)
}

/** Sends the next email to a mail server that accepts it. */
async function deliver() {
  const email = await site.outbox.claim(site.clock.now)
  if (!email) throw new Error('There is no email to send.')
  await site.outbox.record(email, site.clock.now, 'sent', { smtpCode: 250, response: '250 ok' })
}

/** Resends the lead's emails, to a mail server that now accepts the receipt. */
async function resendReceipt(reference: string) {
  const { id } = await site.db
    .selectFrom('leads')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
  await requeueLead(site.db, id, site.clock.now)
  await deliver()
}

test('as soon as a receipt bounces, the inbox warns about the address of its lead (and no other), until a later receipt is accepted', async () => {
  const { reference: other } = await site.submit({ email: 'bob@example.com', message: 'Another request' })
  await deliver()
  await deliver()
  const before = await readNewestChanges(site.db)

  const reference = await bounceReceipt(site)
  const doubt = 'The address may be wrong: call instead.'
  const whileBounced = await readNewestChanges(site.db)
  expect(await doubtsAbout(reference)).toEqual([doubt, doubt, doubt])
  expect(await doubtsAbout(other)).toEqual([null, null, null])
  expect(whileBounced).not.toBe(before)

  await resendReceipt(reference)
  expect(await doubtsAbout(reference)).toEqual([null, null, null])
  expect(await readNewestChanges(site.db)).not.toBe(whileBounced)
})
