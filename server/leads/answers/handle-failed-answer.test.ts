import { expect, test } from 'vitest'
import { readMailHealth } from '../../app/health.ts'
import { readBacklog } from '../../outbox/backlog.ts'
import type { Email } from '../../outbox/email.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools, refusal } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { readMorning } from '../../reminders/morning-lists.ts'
import { listLeads } from '../lists/lists.ts'
import { readLeadDetail } from '../lists/read-lead.ts'
import { searchLeads } from '../lists/search-leads.ts'
import { saveDraft } from './drafts.ts'

const MINUTE_MS = 60_000
const site = useTestApp({ mailTo: [anna, bob] })
const { submit } = leadTools(site)
const { deliver, rows } = outboxTools(site)
const { answer, attach } = answerTools(site)

/** Acts as if the mail server refused answers, but accepted all other emails. */
const refuse = (failure: Error) => async (job: Email) => {
  if (job.kind === 'answer') throw failure
  return '250 ok'
}

/**
 * Answers a lead, and tries to send the emails for these minutes. Returns the reference, and when
 * the answer was due.
 */
async function answerAndWait(send: ReturnType<typeof refuse>, minutes: number) {
  const reference = await submit()
  const { sendsAt } = await answer(reference)
  for (let minute = 0; minute <= minutes; minute++) {
    site.advanceClock(MINUTE_MS)
    await deliver(send)
  }
  return { reference, sendsAt }
}

const warnings = async () =>
  (await rows())
    .filter(({ kind }) => kind === 'answer_trouble')
    .map(({ recipient, content }) => ({ recipient, ...JSON.parse(String(content)) }))

const readPage = (reference: string) =>
  readLeadDetail(site.db, { reference, owner: anna, now: site.clock.now })
/** Since when the list, the search and the lead's page say that the answer is stuck. */
async function stuckSince(reference: string) {
  const { leads } = await listLeads(site.db, { view: 'answered', after: undefined, now: site.clock.now })
  const found = await searchLeads(site.db, { search: reference })
  return [leads[0], found.leads[0], await readPage(reference)].map((row) => row?.stuckSince)
}

// outcome.test.ts lists the replies that are about one email, and those that are about the mail
// server.
test('if only one answer is not accepted, its lead and one email to its author say so, and another if it fails for good; the mail counts as working', async () => {
  const response = '452 4.2.2 mailbox over quota'
  const { reference, sendsAt } = await answerAndWait(refuse(refusal(response, 'DATA')), 40)

  expect(await stuckSince(reference)).toEqual([sendsAt, sendsAt, sendsAt])
  const shown = (await readPage(reference))?.emails.find(({ kind }) => kind === 'answer')
  expect(shown).toMatchObject({ state: 'queued', attempts: [{ outcome: 'retry', response }, {}, {}, {}] })
  const reason = `The mail server said: ${response}`
  const warning = { recipient: anna, stuckSince: sendsAt, address: 'ada@example.com', reason }
  expect(await warnings()).toMatchObject([warning])
  expect(await readMailHealth(site.context, site.clock.now)).toBe('ok')
  expect(await readBacklog(site.context, site.clock.now)).toMatchObject({ waiting: 0, refused: 0 })

  site.advanceClock(180 * MINUTE_MS)
  await deliver(refuse(refusal('550 5.1.1 no such user')))
  const failed =
    'Your answer did not arrive: this mailbox does not exist. The mail server said: 550 5.1.1 no such user'
  expect(await warnings()).toMatchObject([warning, { recipient: anna, stuckSince: null, reason: failed }])
  // The text is a draft again, but nobody is writing it now.
  const input = { view: 'open', owner: bob, after: undefined, now: site.clock.now } as const
  expect((await listLeads(site.db, input)).leads).toMatchObject([{ writer: null }])
})

test("if only an owner's copy of an answer fails, the lead stays answered", async () => {
  const reference = await submit()
  await answer(reference)
  await site.db.updateTable('outbox').set({ attempts: 100 }).where('kind', '=', 'answer_copy').execute()
  site.advanceClock(6 * 24 * 60 * MINUTE_MS)
  await deliver(async ({ kind }) => {
    if (kind === 'answer_copy') throw refusal('550 5.1.1 no such user')
    return '250 ok'
  })

  expect((await rows()).find(({ kind }) => kind === 'answer_copy')).toMatchObject({ state: 'failed' })
  expect([await readPage(reference), await warnings()]).toMatchObject([{ state: 'answered' }, { length: 0 }])
})

test('an answer that is accepted within minutes, or later, is not stuck', async () => {
  const full = refuse(refusal('452 4.2.2 mailbox over quota'))
  const { reference } = await answerAndWait(full, 15)
  expect([await stuckSince(reference), await warnings()]).toEqual([[null, null, null], []])
  site.advanceClock(20 * MINUTE_MS)
  await deliver(full)
  expect(await warnings()).toHaveLength(1)

  site.advanceClock(180 * MINUTE_MS)
  await deliver(async () => '250 ok')
  expect(await stuckSince(reference)).toEqual([null, null, null])
})

test('if the mail server cannot be reached, the mail counts as not going out, and no answer as stuck', async () => {
  const down = Object.assign(new Error('down'), { code: 'ECONNREFUSED' })
  const { reference } = await answerAndWait(refuse(down), 40)

  expect(await readMailHealth(site.context, site.clock.now)).toBe('waiting')
  expect([await stuckSince(reference), await warnings()]).toEqual([[null, null, null], []])
})

test('an answer that is stuck at an address which was corrected is no trouble anymore, also when it fails', async () => {
  const { reference } = await answerAndWait(refuse(refusal('450 4.1.2 no such domain')), 40)
  await answer(reference, { key: crypto.randomUUID(), to: 'ada@right.example' })
  const send = async ({ kind, recipient }: Email) => {
    if (kind === 'answer' && recipient === 'ada@example.com') throw refusal('550 5.1.2 no such domain')
    return '250 ok'
  }
  expect(await stuckSince(reference)).toEqual([null, null, null])
  const { troubles } = await readMorning(site.db, { owner: anna, at: site.clock.now, show: (lead) => lead })
  expect(troubles).toEqual([])

  site.advanceClock(180 * MINUTE_MS)
  await deliver(send)
  expect(await readPage(reference)).toMatchObject({ state: 'answered', trouble: null })
  const emails = (await rows()).filter(({ kind }) => kind === 'answer')
  expect(emails.map(({ state }) => state)).toEqual(['failed', 'sent'])
})

test('an answer to somebody else that is stuck is shown', async () => {
  const reference = await submit({ email: 'ada@example.com' })
  await mailboxTools(site).takeIn({ subject: reference, text: 'Please write to my colleague.' })
  const { id } = await leadTools(site).read(reference)
  const event = { lead_id: id, at: '', what: 'reply', who: 'carl@example.com' } as const
  await site.db.insertInto('lead_events').values(event).execute()
  await answer(reference, { to: 'carl@example.com' })
  for (let minute = 0; minute <= 40; minute++) {
    site.advanceClock(MINUTE_MS)
    await deliver(refuse(refusal('452 4.2.2 mailbox over quota', 'DATA')))
  }

  expect(await stuckSince(reference)).toEqual(Array(3).fill(expect.any(String)))
})

test.each(['words', 'a file'])(
  'a failed answer never joins another one that its author has begun with %s',
  async (begun) => {
    const reference = await submit()
    await answer(reference, { files: [await attach(reference, 'quote.pdf', Buffer.from('1'))] })
    const draft = { reference, who: anna, version: 1, base: null, text: 'Dear Carl,' }
    if (begun === 'words') await saveDraft(site.inboxDeps, draft)
    else await attach(reference, 'carl.pdf', Buffer.from('2'))
    const { draft: text, attached } = { ...(await readPage(reference)) }
    site.advanceClock(MINUTE_MS)
    await deliver(refuse(refusal('550 5.2.1 disabled')))

    expect(await readPage(reference)).toMatchObject({ state: 'open', draft: text, attached })
  },
)

test('the draft of a failed answer belongs to its author however MAIL_TO spells the address, or else to the first owner', async () => {
  for (const owner of [anna.toUpperCase(), 'former@agency.example']) {
    const reference = await submit()
    const files = [await attach(reference, 'quote.pdf', Buffer.from('1'), owner)]
    await answer(reference, { who: owner, key: crypto.randomUUID(), files })
    site.advanceClock(MINUTE_MS)
    await deliver(refuse(refusal('550 5.2.1 disabled')))

    expect(await readPage(reference)).toMatchObject({
      draft: 'Yes, we can.',
      attached: [{ name: 'quote.pdf' }],
    })
  }
})
