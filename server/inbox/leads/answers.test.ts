import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { createGroupCommit } from '../../database/group-commit.ts'
import { readMailHealth } from '../../outbox/backlog.ts'
import { createOutboxStore } from '../../outbox/outbox-store.ts'
import { requeueFailed, requeueLead } from '../../outbox/requeue.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../../proof/testing/file-delivery.ts'
import { anna, bob, leadTools } from '../../proof/testing/lead-tools.ts'
import { outboxTools } from '../../proof/testing/outbox-tools.ts'
import { answerLead } from './answer-lead.ts'
import { followUp } from './follow-up.ts'
import { markLead } from './mark-lead.ts'
import { saveDraft } from './save-draft.ts'
import { undoAnswer } from './undo-answer.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const site = useTestApp({ mailTo: [] })

const { submit, suspect, read, history, drafts, listed } = leadTools(site)
const { rows, deliver, startWorker } = outboxTools(site)
const key = '019c0000-0000-7000-8000-0000000000aa'
const answer = async (reference: string, changes = {}) =>
  answerLead(site.inboxDeps, {
    reference,
    who: anna,
    key,
    text: 'Yes, we can.',
    version: (await read(reference)).version,
    ...changes,
  })
const undo = (reference: string, changes = {}) =>
  undoAnswer(site.inboxDeps, { reference, who: anna, key, ...changes })
const smtp = (responseCode: number, response: string) =>
  Object.assign(new Error('no'), { responseCode, command: 'RCPT TO', response })
const refuse = (responseCode: number, response: string) => async (job: { kind: string }) => {
  if (job.kind === 'answer') throw smtp(responseCode, response)
  return '250 ok'
}

test('an answer is queued for visitor and owner, marks the lead as answered and deletes the draft', async () => {
  const reference = await submit()
  await saveDraft(site.inboxDeps, { reference, who: anna, version: 0, base: null, text: 'Yes' })

  const sendsAt = new Date(site.clock.now.getTime() + 15 * SECOND_MS).toISOString()
  expect(await answer(reference)).toEqual({ state: 'answered', version: 1, key, sendsAt })

  expect(await rows()).toMatchObject([
    { kind: 'answer', recipient: 'ada@example.com', due_at: sendsAt, priority: 0 },
    { kind: 'answer_copy', recipient: anna, due_at: sendsAt },
  ])
  expect(await drafts()).toEqual([])
  expect(await read(reference)).toMatchObject({
    state: 'answered',
    answered_at: site.clock.now.toISOString(),
  })
  expect(await history(reference)).toMatchObject([{ who: anna, what: 'answer', text: 'Yes, we can.' }])
})

test('a draft that arrives after its answer does not come back', async () => {
  const reference = await submit()
  await answer(reference)
  const late = { reference, who: anna, version: 0, base: null, text: 'Yes' }

  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([])
  await undo(reference)
  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
})

test('20 requests with one key queue one email and get the same response, even after it is sent', async () => {
  const reference = await submit()
  const responses = await Promise.all(Array.from({ length: 20 }, () => answer(reference, { version: 0 })))
  site.advanceClock(15 * SECOND_MS)
  await deliver(async () => '250 ok')
  responses.push(await answer(reference, { version: 0 }))

  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  expect(await rows()).toHaveLength(2)
  expect(await history(reference)).toHaveLength(1)
})

test.each([
  ['text', { text: 'No.' }],
  ['owner', { who: bob }],
])('the same key with a different %s is rejected', async (_what, changes) => {
  const reference = await submit()
  await answer(reference)

  await expect(answer(reference, changes)).rejects.toMatchObject({ code: 'idempotency_conflict' })
})

test('the same key for another lead is rejected', async () => {
  await answer(await submit())

  await expect(answer(await submit())).rejects.toMatchObject({ code: 'idempotency_conflict' })
})

test('if 2 owners answer at once, only one answer is queued', async () => {
  const reference = await submit()

  const results = await Promise.allSettled([
    answer(reference, { version: 0 }),
    answer(reference, { version: 0, who: bob, key: randomUUID() }),
  ])

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringMatching(/^(Anna|Bob) has answered this lead in the meantime\.$/) },
  })
  expect(await rows()).toHaveLength(2)
})

test('a won lead stays won after an answer, and an answer to spam is rejected', async () => {
  const [won, spam] = [await submit(), await submit()]
  await markLead(site.inboxDeps, { reference: won, version: 0, who: anna, state: 'won' })
  await markLead(site.inboxDeps, { reference: spam, version: 0, who: anna, state: 'spam' })

  expect(await answer(won)).toMatchObject({ state: 'won' })
  await expect(answer(spam, { key: randomUUID() })).rejects.toMatchObject({ code: 'conflict' })
})

test('after an undo within 15 seconds, nothing is sent, and the lead and the text are restored', async () => {
  const reference = await submit()
  await followUp(site.inboxDeps, { reference, version: 0, who: bob, on: '2026-03-05' })
  const before = await read(reference)
  await answer(reference)
  site.advanceClock(14.9 * SECOND_MS)

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

test('undo can be repeated, and the key of an undone answer no longer sends anything', async () => {
  const reference = await submit()
  await answer(reference)
  const undone = await undo(reference)

  expect(await undo(reference, { who: bob })).toEqual(undone)
  await expect(answer(reference, { version: 0 })).rejects.toMatchObject({
    message: 'This answer was undone. Please send it again.',
  })
  expect(await answer(reference, { key: randomUUID() })).toMatchObject({ version: 3 })
})

test('undo keeps what the owner has written since, after the text of the answer', async () => {
  const reference = await submit()
  await answer(reference)
  await saveDraft(site.inboxDeps, { reference, who: anna, version: 1, base: null, text: 'One more thing' })

  const undone = await undo(reference, { who: bob })

  const text = 'Yes, we can.\n\nOne more thing'
  expect([undone.text, (await undo(reference)).text]).toEqual([text, text])
  expect(await drafts()).toEqual([{ owner: anna, text }])
})

test('undoing a second answer keeps the time of the first', async () => {
  const reference = await submit()
  await answer(reference)
  const { answered_at } = await read(reference)
  site.advanceClock(MINUTE_MS)
  const second = randomUUID()
  await answer(reference, { key: second })
  await undo(reference, { key: second })

  expect(await read(reference)).toMatchObject({ state: 'answered', answered_at })
})

test('undoing the first of two waiting answers keeps the lead answered, and undoing both restores it', async () => {
  const reference = await submit()
  await suspect(reference)
  await followUp(site.inboxDeps, { reference, version: 0, who: bob, on: '2026-03-05' })
  const { version: _, ...before } = await read(reference)
  const second = randomUUID()
  await answer(reference)
  site.advanceClock(SECOND_MS)
  await answer(reference, { key: second, text: 'And we start soon.' })
  const answeredTwice = await read(reference)
  const answered_at = site.clock.now.toISOString()
  site.advanceClock(SECOND_MS)

  expect(await undo(reference)).toMatchObject({ state: 'answered' })

  expect(await read(reference)).toEqual({ ...answeredTwice, answered_at, version: 4 })
  await undo(reference, { key: second })
  expect(await read(reference)).toEqual({ ...before, version: 5 })
})

test('undoing the second of two waiting answers and then the first restores the lead', async () => {
  const reference = await submit()
  await followUp(site.inboxDeps, { reference, version: 0, who: bob, on: '2026-03-05' })
  const before = await read(reference)
  const second = randomUUID()
  await answer(reference)
  await answer(reference, { key: second })
  await undo(reference, { key: second })

  await undo(reference)

  expect(await read(reference)).toEqual({ ...before, version: 5 })
})

test('undoing the first answer keeps the lead answered after the second is sent', async () => {
  const reference = await submit()
  const second = randomUUID()
  await answer(reference)
  await answer(reference, { key: second })
  await site.db
    .updateTable('outbox')
    .set({ state: 'sent' })
    .where('message_id', 'like', `<${second}.%`)
    .execute()

  expect(await undo(reference)).toMatchObject({ state: 'answered' })
})

test('after an undo, the lead is open even if another owner set a follow-up after the answer', async () => {
  const reference = await submit()
  await answer(reference)
  await followUp(site.inboxDeps, { reference, version: 1, who: bob, on: '2026-03-05' })

  expect(await undo(reference)).toMatchObject({ state: 'open' })

  const sort_key = '12026-03-05'
  expect(await read(reference)).toMatchObject({ follow_up_on: '2026-03-05', sort_key, answered_at: null })
})

test('undo keeps changes that another owner made after the answer', async () => {
  const reference = await submit()
  await answer(reference)
  await markLead(site.inboxDeps, { reference, version: 1, who: bob, state: 'won' })

  expect(await undo(reference)).toMatchObject({ state: 'won', version: 3 })
})

test.each([
  ['the answer is sent', async () => '250 ok', 'It has already been sent.'],
  [
    'the server has tried to send the answer',
    refuse(451, '451 later'),
    'It is too late: it is already being sent.',
  ],
])('undo is rejected once %s', async (_what, send, sentence) => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(send)

  await expect(undo(reference)).rejects.toMatchObject({ code: 'conflict', message: sentence })
})

test('undo is rejected while the copy is being sent, and the answer stays queued', async () => {
  const reference = await submit()
  await answer(reference)
  await site.db
    .updateTable('outbox')
    .set({ state: 'sending', attempts: 1 })
    .where('kind', '=', 'answer_copy')
    .execute()

  await expect(undo(reference)).rejects.toMatchObject({ code: 'conflict' })
  expect(await rows()).toHaveLength(2)
})

test('undo is rejected after a restart that may have interrupted an attempt to send the answer', async () => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(16 * SECOND_MS)
  await site.db.updateTable('outbox').set({ state: 'sending', attempts: 1 }).execute()
  await site.outbox.releaseAll(site.clock.now)
  await site.db
    .updateTable('outbox')
    .set({ state: 'queued', attempts: 0, due_at: site.clock.now.toISOString() })
    .where('kind', '=', 'answer')
    .execute()

  await expect(undo(reference)).rejects.toMatchObject({ code: 'conflict' })
})

test("undoing an answer that doesn't exist responds with 404, even with another lead's key", async () => {
  const [first, second] = [await submit(), await submit()]
  await answer(first)

  await expect(undo(second)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undo(first, { key: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
})

test('no worker claims an answer before it is due', async () => {
  await answer(await submit())
  site.advanceClock(15 * SECOND_MS - 1)
  for (const lane of ['newest', 'oldest', 'visitor'] as const)
    expect(await site.outbox.claimNext(site.clock.now, lane)).toBeUndefined()

  site.advanceClock(1)
  expect(await site.outbox.claimNext(site.clock.now, 'newest')).toMatchObject({ attempts: 1 })
})

test.each([
  ['while it runs', true],
  ['before it started', false],
])(
  'the worker sends an answer that was queued %s within a second of its due time',
  async (_when, isRunning) => {
    const lateness: number[] = []
    const dueAt = new Date(Date.now() + 800)
    const send = async () => String(lateness.push(Date.now() - dueAt.getTime()))
    const worker = startWorker(send, { now: () => new Date() })
    if (isRunning) await worker.start()
    site.clock.now = new Date(dueAt.getTime() - 15 * SECOND_MS)
    await answer(await submit())
    await (isRunning ? worker.wakeAt(dueAt) : worker.start())

    await expect.poll(() => lateness.length, { timeout: 3_000 }).toBe(2)
    await worker.stop()
    expect(Math.min(...lateness)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...lateness)).toBeLessThan(SECOND_MS)
  },
)

test('if an answer is rejected for good, the lead is open again, on top, with the reason and the text', async () => {
  const [other, reference] = [await submit(), await submit()]
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(550, '550 5.1.1 <ada@example.com>: no such\r\n user'))

  const trouble =
    'Your answer did not arrive: this mailbox does not exist. The mail server said: 550 5.1.1 <ada@example.com>: no such user'
  const lead = await read(reference)
  expect(lead).toMatchObject({ state: 'open', trouble, answered_at: null, version: 2 })
  expect(lead.sort_key < (await read(other)).sort_key).toBe(true)
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  expect((await history(reference)).at(-1)).toEqual({
    who: 'server',
    what: 'answer_failed',
    from_value: 'answered',
    to_value: 'open',
    text: trouble,
  })
})

test.each([
  ['a 5xx about the message', 554, '554 5.6.0 too long', 'the mail server refused it'],
  ['a full mailbox', 552, '552 5.2.2 over quota', 'the mail server refused it'],
])('after %s, the lead is open again', async (_what, code, response, reason) => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(code, response))

  expect((await read(reference)).trouble).toContain(reason)
})

test('after five days of failed attempts, the lead is open again', async () => {
  const reference = await submit()
  await answer(reference)
  await site.db.updateTable('outbox').set({ attempts: 100 }).execute()
  site.advanceClock(6 * 24 * 60 * MINUTE_MS)

  await deliver(refuse(451, '451 later'))

  expect((await read(reference)).trouble).toContain('the mail server did not accept it for days')
})

test('after a temporary failure, the lead is still answered', async () => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(451, '451 later'))

  expect(await read(reference)).toMatchObject({ state: 'answered', trouble: null, version: 1 })
})

test.each(['won', 'lost'] as const)(
  'after a failed answer, a %s lead is open on top with the reason, and a newer draft is kept',
  async (state) => {
    const [other, reference] = [await submit(), await submit()]
    await answer(reference)
    await markLead(site.inboxDeps, { reference, version: 1, who: bob, state })
    await saveDraft(site.inboxDeps, { reference, who: anna, version: 2, base: null, text: 'Newer' })
    site.advanceClock(15 * SECOND_MS)

    await deliver(refuse(550, '550 5.1.1 no'))

    const trouble = expect.stringContaining('550')
    expect(await read(reference)).toMatchObject({ state: 'open', trouble, answered_at: null })
    expect(await listed('open')).toEqual([reference, other])
    expect(await drafts()).toEqual([{ owner: anna, text: 'Newer' }])
  },
)

test('after a failed answer, spam is still spam', async () => {
  const reference = await submit()
  await answer(reference)
  await markLead(site.inboxDeps, { reference, version: 1, who: bob, state: 'spam' })
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(550, '550 5.1.1 no'))

  expect(await read(reference)).toMatchObject({ state: 'spam', trouble: expect.stringContaining('550') })
  expect((await history(reference)).at(-1)).toMatchObject({ from_value: 'spam', to_value: 'spam' })
})

test('a suspect whose answer failed is open on top, and not a suspect', async () => {
  const [other, reference] = [await submit(), await submit()]
  await suspect(reference)
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(550, '550 5.1.1 no'))

  expect(await listed('open')).toEqual([reference, other])
  expect(await listed('suspects')).toEqual([])
})

test('answering again clears the reason why the last answer failed', async () => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(refuse(550, '550 5.1.1 no'))

  await answer(reference, { key: randomUUID() })

  expect(await read(reference)).toMatchObject({ state: 'answered', trouble: null, version: 3 })
})

test('the recipient of an answer never changes, but its copy follows a change of MAIL_TO', async () => {
  await answer(await submit())
  site.advanceClock(15 * SECOND_MS)
  const outbox = createOutboxStore(site.db, createGroupCommit(site.db), ['new@plumbline.example'])

  await outbox.claimNext(site.clock.now, 'newest')
  await outbox.claimNext(site.clock.now, 'newest')

  expect(await rows()).toMatchObject([
    { kind: 'answer', recipient: 'ada@example.com' },
    { kind: 'answer_copy', recipient: 'new@plumbline.example' },
  ])
})

test('without a mail server, an answer becomes an .eml file', async () => {
  await answer(await submit())
  site.advanceClock(15 * SECOND_MS)
  await deliverToFiles(site)

  const file = readFileSync(join(site.dataDir, 'mail', `${key}.answer.eml`))
  expect(await PostalMime.parse(file)).toMatchObject({
    from: { name: 'Anna at Plumbline' },
    to: [{ address: 'ada@example.com' }],
    text: expect.stringMatching(/^Yes, we can\.\n/),
  })
})

test('a failed answer is not requeued and does not raise an alert', async () => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(refuse(550, '550 5.1.1 no'))
  const { id } = await read(reference)

  expect(await requeueFailed(site.db, undefined, site.clock.now)).toBe(0)
  expect(await requeueFailed(site.db, id, site.clock.now)).toBe(0)
  expect(await requeueLead(site.db, id, site.clock.now)).toBe(0)
  expect(await readMailHealth(site.db, site.clock.now)).toBe('ok')
})

test('an answer that has waited for 15 minutes raises an alert', async () => {
  await answer(await submit())
  const health = () => readMailHealth(site.db, new Date(site.clock.now.getTime() - 15 * MINUTE_MS))
  site.advanceClock(15 * MINUTE_MS)
  expect(await health()).toBe('ok')
  site.advanceClock(16 * SECOND_MS)

  expect(await health()).toBe('waiting')
})
