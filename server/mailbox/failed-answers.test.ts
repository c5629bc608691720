import { expect, test } from 'vitest'
import { removeOutdated } from '../backup/remove-outdated.ts'
import { markLead, nothingToAnswer } from '../leads/change/mark-lead.ts'
import { readUnanswered } from '../leads/emails/written-words.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools, refuse } from '../proof/testing/leads.ts'
import { ada, bounceOf, carl, mailboxTools } from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, submit, history } = leadTools(site)
const { answer, undo } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)
const { rows, deliver: deliverWith } = outboxTools(site)
const DAY_MS = 24 * 60 * 60_000

/** Sends another answer. Returns its key. */
async function answerAgain(reference: string, changes = {}) {
  site.advanceClock(60_000)
  const key = crypto.randomUUID()
  await answer(reference, { key, ...changes })
  site.advanceClock(60_000)
  return key
}
const fail = (messageId: string, to = ada) =>
  takeIn({ from: '', body: bounceOf(messageId, { status: '5.2.2' }).replace(ada, to) })

/** A request of Ada that nobody has answered. */
async function asked() {
  const reference = await submit({ email: ada })
  await deliver()
  const receipt = (await rows()).find(({ kind }) => kind === 'visitor_receipt')?.message_id ?? ''
  return { reference, receipt }
}
const mark = async (reference: string, state: 'answered' | 'open' | 'spam') =>
  markLead(site.inboxDeps, { reference, version: (await read(reference)).version, who: anna, state })
const nothing = async (reference: string) =>
  nothingToAnswer(site.inboxDeps, { reference, version: (await read(reference)).version, who: anna })

/** What becomes of Ada's lead if somebody else writes, and an owner answers only them. */
async function afterEmailToCarl({ reference, receipt }: { reference: string; receipt: string }) {
  await takeIn({ from: carl, answers: receipt })
  await takeIn({ from: anna, to: carl, answers: receipt }, 'sent')
  return (await read(reference)).state
}

test.each<[string, () => Promise<{ reference: string; receipt: string }>]>([
  [
    'late, after one to somebody else',
    async () => {
      const lead = await answered()
      await takeIn({ from: carl, answers: lead.receipt })
      await answerAgain(lead.reference, { to: carl })
      await deliver()
      await fail(lead.answers)
      return lead
    },
  ],
  [
    'together with another one to the person',
    async () => {
      const lead = await asked()
      await answer(lead.reference)
      await answerAgain(lead.reference)
      await deliverWith(refuse('550 5.2.1 disabled'))
      return lead
    },
  ],
  [
    'although an owner sent it from an email program while somebody else waited',
    async () => {
      const lead = await asked()
      await takeIn({ from: carl, answers: lead.receipt })
      await takeIn({ from: anna, to: ada, answers: lead.receipt, id: '<own@agency.example>' }, 'sent')
      await fail('<own@agency.example>')
      return lead
    },
  ],
  [
    'after a later one was undone',
    async () => {
      const lead = await answered()
      site.advanceClock(60_000)
      const key = crypto.randomUUID()
      await answer(lead.reference, { key })
      await undo(lead.reference, { key })
      await fail(lead.answers)
      return lead
    },
  ],
  [
    'as a restore does with several that waited',
    async () => {
      const lead = await asked()
      await answer(lead.reference)
      await answerAgain(lead.reference, { text: 'PS' })
      const file = 'leads-2026-03-02T14-00-00Z.db'
      await removeOutdated(site.db, { file, erasures: [], now: site.clock.now })
      return lead
    },
  ],
])('whose answer failed still waits: %s', async (_how, happen) => {
  const lead = await happen()
  expect((await read(lead.reference)).state).toBe('open')
  expect(await afterEmailToCarl(lead)).toBe('open')
})

test('if the first of two answers comes back, the second was the first', async () => {
  const { answers, reference } = await answered()
  const answered_at = new Date(site.clock.now.getTime() + 60_000).toISOString()
  await answerAgain(reference)
  await deliver()
  await fail(answers)
  expect(await read(reference)).toMatchObject({ state: 'open', answered_at })

  const [last] = (await rows()).filter(({ kind }) => kind === 'answer').slice(-1)
  await fail(String(last?.message_id))
  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
})

test('if an answer comes back, one counts that was sent before it, and read after it', async () => {
  const { reference, receipt: answers } = await asked()
  const receivedAt = site.clock.now.toISOString()
  const key = await answerAgain(reference)
  await deliver()
  await takeIn({ from: anna, to: ada, answers, receivedAt }, 'sent')
  await fail(`<${key}.answer@agency.example>`)

  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: receivedAt })
})

test('if both of two emails of an owner come back, nobody has answered', async () => {
  const { reference, receipt: answers } = await asked()
  for (const id of ['<1@agency.example>', '<2@agency.example>']) {
    site.advanceClock(60_000)
    await takeIn({ from: anna, to: ada, answers, id }, 'sent')
  }
  await fail('<1@agency.example>')
  await fail('<2@agency.example>')

  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
})

test('an answer can come back although an address was corrected for another one that was undone', async () => {
  const { answers, reference } = await answered()
  const key = crypto.randomUUID()
  await answer(reference, { key, to: 'adda@example.com' })
  await undo(reference, { key })
  await fail(answers)

  expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.anything() })
})

test('an answer to an address that was corrected comes back to who has written from there, even if a program did', async () => {
  const { reference, receipt } = await answered()
  await takeIn({ answers: receipt, headers: 'Auto-Submitted: auto-replied' })
  for (const to of [carl, ada]) {
    await answerAgain(reference, { to })
    await deliver()
  }
  const [last] = (await rows()).filter(({ kind }) => kind === 'answer').slice(-1)
  await fail(String(last?.message_id))

  expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.anything() })
})

test("an owner's own email can come back although an earlier answer has, and comes back once", async () => {
  const { reference, answers } = await answered()
  await takeIn({ from: anna, to: ada, answers, id: '<own@agency.example>' }, 'sent')
  await fail(answers)
  await mark(reference, 'answered')

  await fail('<own@agency.example>')
  expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.anything() })

  await mark(reference, 'answered')
  await fail('<own@agency.example>')
  expect((await read(reference)).state).toBe('answered')
})

test('a report about a receipt does not count for an answer that was sent later', async () => {
  const { reference } = await asked()
  const body = bounceOf('<0100@email.amazonses.com>', { status: '5.2.2' })
  const receivedAt = site.clock.now.toISOString()
  const bounce = { from: '', receivedAt, body: body.replace('Subject: Hi', `Subject: ${reference}`) }
  await takeIn(bounce)
  site.advanceClock(DAY_MS)
  await answerAgain(reference)
  await deliver()
  await takeIn(bounce, 'moved')

  expect((await read(reference)).state).toBe('answered')
})

test('a forged report draws no mail of others into a lead', async () => {
  const { reference } = await answered()
  const body = bounceOf('<x@y.example>').replace('Subject: Hi', `Subject: ${reference}`)
  await takeIn({ from: '', id: '<news@club.example>', body })
  const before = await history(reference)
  await takeIn({ answers: '<news@club.example>', text: 'I cannot come on Sunday.' })

  expect(await history(reference)).toEqual(before)
})

test('of several states, only the one that was changed back is no answer', async () => {
  const { reference, receipt } = await asked()
  for (const text of ['First?', 'Second?', 'Third?']) {
    await takeIn({ answers: receipt, text })
    await mark(reference, 'answered')
  }
  await mark(reference, 'open')

  expect((await readUnanswered(site.db, await read(reference))).texts).toEqual(['Third?'])
})

test('after "Nothing to answer", what an owner had opened again still waits, and is due as before', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, text: 'A question?' })
  await mark(reference, 'answered')
  site.advanceClock(DAY_MS)
  await mark(reference, 'open')
  const { due_at } = await read(reference)
  await takeIn({ answers, text: 'PS: greetings' })

  await nothing(reference)

  expect(await read(reference)).toMatchObject({ state: 'open', due_at })
})
