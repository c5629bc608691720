import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { answerTools, refuse } from '../../proof/testing/answer-tools.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/lead-tools.ts'
import { outboxTools } from '../../proof/testing/outbox-tools.ts'
import { followUp, markLead } from './mark-lead.ts'
import { saveDraft } from './save-draft.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const site = useTestApp({ mailTo: [] })

const { submit, suspect, read, history, drafts } = leadTools(site)
const { rows, deliver } = outboxTools(site)
const { answer, undo } = answerTools(site)

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

test('undo restores the text of the answer, followed by what the owner has written since', async () => {
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

test('if the second answer has been sent, undoing the first keeps the lead answered', async () => {
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
  ['the answer has been sent', async () => '250 ok', 'This answer has already been sent.'],
  [
    'the server has tried to send the answer',
    refuse(451, '451 later'),
    'It is too late: this answer is already being sent.',
  ],
])('undo is rejected once %s', async (_what, send, sentence) => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(send)

  await expect(undo(reference)).rejects.toMatchObject({ code: 'conflict', message: sentence })
})

test('undo is rejected while the copy of the answer is being sent, and the answer stays queued', async () => {
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

test("undoing an answer that doesn't exist is rejected, even with the key of another lead's answer", async () => {
  const [first, second] = [await submit(), await submit()]
  await answer(first)

  await expect(undo(second)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undo(first, { key: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
})
