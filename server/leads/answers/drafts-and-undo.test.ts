import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { undoChange } from '../change/change-lead.ts'
import { followUp, markLead, markResult } from '../change/mark-lead.ts'
import { saveDraft } from './drafts.ts'

const SECOND_MS = 1_000
const followUpAt = '2026-03-05T14:00:00.000Z'
const site = useTestApp({ mailTo: [] })

const { submit, read, history, drafts } = leadTools(site)
const { rows } = outboxTools(site)
const { answer, undo } = answerTools(site)
const claim = () => site.outbox.claim(site.clock.now)

const save = (
  who: string,
  reference: string,
  text: string,
  { version = 0, base = null as string | null } = {},
) => saveDraft(site.inboxDeps, { reference, who, version, text, base })

test('each owner has their own draft, and an empty draft is deleted', async () => {
  const reference = await submit()
  await save(anna, reference, 'Hello A')
  await save(bob, reference, 'Hello B')
  await save(anna, reference, 'Hello Ada', { base: 'Hello A' })
  await save(bob, reference, ' \n', { base: 'Hello B' })

  expect(await drafts()).toEqual([{ owner: anna, text: 'Hello Ada' }])
})

test('what an owner writes on two devices is never lost', async () => {
  const reference = await submit()
  await save(anna, reference, 'From the phone')

  for (const text of ['From the laptop', ''])
    await expect(save(anna, reference, text)).rejects.toMatchObject({
      code: 'conflict',
      facts: { current: { state: 'open', version: 0 }, draft: 'From the phone' },
    })
  expect(await drafts()).toEqual([{ owner: anna, text: 'From the phone' }])
  await save(anna, reference, 'From the phone')
  const both = 'From the laptop\n\nFrom the phone'
  await save(anna, reference, both, { base: 'From the phone' })
  expect(await drafts()).toEqual([{ owner: anna, text: both }])
})

test('if two devices save drafts at the same time, one is stored, and the other device gets an error that contains it', async () => {
  const reference = await submit()
  const results = await Promise.allSettled(['A', 'B'].map((text) => save(anna, reference, text)))

  const [stored] = await drafts()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { facts: { draft: stored?.text } },
  })
})

test('a draft that the network delivers only after the answer is not stored, not even if the answer is undone', async () => {
  const reference = await submit()
  const late = { reference, who: anna, version: 0, base: null, text: 'Yes' }
  await saveDraft(site.inboxDeps, late)
  await answer(reference, { base: 'Yes' })

  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([])
  await undo(reference)
  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
})

test.each([
  ['the draft that the page has seen', 'Hello', 'Hello'],
  ['a draft with the same text, even if the page never got the response to saving it', 'Yes, we can.', null],
])('an answer deletes %s', async (_what, text, base) => {
  const reference = await submit()
  await save(anna, reference, text)

  await answer(reference, { base })

  expect(await drafts()).toEqual([])
})

test("an answer keeps a draft that its page has not seen, and other owners' drafts", async () => {
  const reference = await submit()
  await save(anna, reference, 'From the phone')
  await save(bob, reference, 'Hello B')

  await answer(reference, { base: 'From the laptop' })
  await answer(reference, { who: bob, key: randomUUID(), base: 'From the phone' })

  expect(await drafts()).toEqual([
    { owner: anna, text: 'From the phone' },
    { owner: bob, text: 'Hello B' },
  ])
})

test('a repeated answer keeps a draft that was written after it, and undo adds that draft to the text', async () => {
  const reference = await submit()
  const send = () => answer(reference, { version: 0, base: 'Hello' })
  await save(anna, reference, 'Hello')
  await send()
  await save(anna, reference, 'From the phone', { version: 1 })

  expect(await send()).toMatchObject({ version: 1 })
  expect((await undo(reference, { who: bob })).text).toBe('Yes, we can.\n\nFrom the phone')
  await expect(send()).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.\n\nFrom the phone' }])
})

test('after an undo within 15 seconds, nothing is sent, and the lead and the text are restored', async () => {
  const reference = await submit()
  await followUp(site.inboxDeps, { reference, version: 0, who: bob, at: followUpAt })
  const before = await read(reference)
  await answer(reference)
  site.advanceClock(14.9 * SECOND_MS)
  expect(await claim()).toBeUndefined()
  const asChange = undoChange(site.inboxDeps, { reference, version: 2, who: anna })
  await expect(asChange).rejects.toMatchObject({ message: 'There is nothing to undo.' })

  expect(await undo(reference)).toEqual({ state: 'open', version: 3, text: 'Yes, we can.' })

  expect(await rows()).toEqual([])
  expect(await read(reference)).toEqual({ ...before, version: 3 })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  expect((await history(reference)).at(-1)).toMatchObject({
    what: 'answer_undone',
    from_value: 'answered',
    to_value: 'open',
  })
})

test.each([
  { is: 'ahead', ms: 0, kept: followUpAt },
  { is: 'over', ms: 4 * 24 * 3_600 * SECOND_MS, kept: null },
])(
  'a follow-up that is $is is $kept after an answer, also if that is undone after another change',
  async ({ ms, kept }) => {
    const reference = await submit()
    await followUp(site.inboxDeps, { reference, version: 0, who: bob, at: followUpAt })
    site.advanceClock(ms)
    await answer(reference)
    expect(await read(reference)).toMatchObject({ state: 'answered', follow_up_at: kept })
    await answer(reference, { key: randomUUID() })
    await undo(reference)
    expect(await read(reference)).toMatchObject({ state: 'open', follow_up_at: kept })
  },
)

test('undo can be repeated, and the key of an undone answer no longer sends anything', async () => {
  const reference = await submit()
  await answer(reference)
  const undone = await undo(reference, { who: bob })

  expect(await undo(reference, { who: bob })).toEqual(undone)
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  await expect(answer(reference, { version: 0 })).rejects.toMatchObject({
    message: 'This answer was undone, or did not arrive. Please send it again.',
  })
  expect(await answer(reference, { key: randomUUID() })).toMatchObject({ version: 3 })
})

type Change = { reference: string; version: number; who: string }
test.each<[string, (change: Change) => Promise<unknown>, object]>([
  [
    'answered',
    (change) => followUp(site.inboxDeps, { ...change, at: followUpAt }),
    { follow_up_at: followUpAt },
  ],
  ['answered', (change) => markResult(site.inboxDeps, { ...change, result: 'won' }), { result: 'won' }],
  [
    'open',
    async (change) => {
      const { reference } = change
      await site.db.updateTable('leads').set({ result: 'won' }).where('reference', '=', reference).execute()
      await markResult(site.inboxDeps, { ...change, result: null })
    },
    { result: null },
  ],
  ['spam', (change) => markLead(site.inboxDeps, { ...change, state: 'spam' }), {}],
  [
    'open',
    ({ reference }) => answer(reference, { key: randomUUID() }),
    { answered_at: null, follow_up_at: null },
  ],
])(
  'after an undo, a lead is %s if that is what an owner has decided since the answer',
  async (state, decide, facts) => {
    const reference = await submit()
    await answer(reference)
    await decide({ reference, version: 1, who: bob })

    expect(await undo(reference)).toMatchObject({ state })
    expect(await read(reference)).toMatchObject(facts)
  },
)

test.each([
  { state: 'sent' } as const,
  { state: 'sending' } as const,
  { attempts: 1 },
  { due_at: '2026-03-02T16:00:00.000Z' },
])(
  'undo is rejected, and deletes nothing, once a worker may have begun to send the answer: %j',
  async (begun) => {
    const reference = await submit()
    await answer(reference)
    await site.db.updateTable('outbox').set(begun).where('kind', '=', 'answer').execute()

    await expect(undo(reference)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/^It is too late/),
    })
    expect(await rows()).toHaveLength(2)
  },
)

test("undoing an answer that doesn't exist is rejected, even with the key of another lead's answer", async () => {
  const [first, second] = [await submit(), await submit()]
  await answer(first)

  await expect(undo(second)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undo(first, { key: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
})

test('if an undo and two workers race, the answer is either undone or sent, never both', async () => {
  for (let round = 0; round < 20; round++) {
    const [reference, key] = [await submit(), randomUUID()]
    await answer(reference, { key })
    site.advanceClock(15_000)
    // On PostgreSQL, whoever starts first does not always win.
    const race = [() => undo(reference, { key }), claim, claim]
    const start = round % 2 ? race : race.toReversed()
    const results = await Promise.allSettled(start.map((one) => one()))

    const [undone, ...claims] = round % 2 ? results : results.toReversed()
    const sent = claims.filter((result) => result.status === 'fulfilled' && result.value !== undefined)
    const left = await site.db.selectFrom('outbox').select('id').where('state', '<>', 'sent').execute()
    const isUndone = undone?.status === 'fulfilled'
    expect([sent.length > 0, left.length]).toEqual(isUndone ? [false, 0] : [true, 2])
    await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  }
})

test('an undo after the visitor has written within these seconds restores the promise, and that nobody has answered', async () => {
  const { takeIn } = mailboxTools(site)
  const reference = await submit({ email: 'ada@example.com' })
  const { due_at } = await read(reference)
  site.advanceClock(60 * 60 * SECOND_MS)
  await answer(reference)
  site.advanceClock(5 * SECOND_MS)
  await takeIn({ subject: reference, text: 'One more thing.' })

  await undo(reference)

  const replied_at = site.clock.now.toISOString()
  expect(await read(reference)).toMatchObject({ state: 'open', due_at, answered_at: null, replied_at })
})

test('an answer whose way back was erased with a person can be undone', async () => {
  const reference = await submit()
  await answer(reference)
  await site.db.updateTable('lead_events').set({ before: null }).execute()

  await undo(reference)

  expect(await rows()).toEqual([])
  expect(await read(reference)).toMatchObject({ state: 'open', answered_at: null })
})
