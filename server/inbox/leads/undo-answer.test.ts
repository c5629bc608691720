import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { saveDraft } from './answer-lead.ts'
import { followUp, markLead } from './change-lead.ts'

const SECOND_MS = 1_000
const site = useTestApp({ mailTo: [] })

const { submit, read, history, drafts } = leadTools(site)
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
    message: 'This answer was undone, or did not arrive. Please send it again.',
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

test('an undo keeps what an owner has decided since the answer; otherwise, the lead is open', async () => {
  const [later, won, answered, spam] = [await submit(), await submit(), await submit(), await submit()]
  const keys = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const
  for (const [index, reference] of [later, won, answered, spam].entries())
    await answer(reference, { key: keys[index] })
  await followUp(site.inboxDeps, { reference: later, version: 1, who: bob, on: '2026-03-05' })
  await markLead(site.inboxDeps, { reference: won, version: 1, who: bob, state: 'won' })
  await answer(answered, { key: randomUUID() })
  await markLead(site.inboxDeps, { reference: spam, version: 1, who: bob, state: 'spam' })

  expect(await undo(later, { key: keys[0] })).toMatchObject({ state: 'answered', version: 3 })
  expect(await read(later)).toMatchObject({ follow_up_on: '2026-03-05' })
  expect(await undo(won, { key: keys[1] })).toMatchObject({ state: 'won', version: 3 })
  expect(await undo(answered, { key: keys[2] })).toMatchObject({ state: 'open', version: 3 })
  const { due_at, ...lead } = await read(answered)
  expect(lead).toMatchObject({ follow_up_on: null, answered_at: null, sort_key: due_at })
  expect(await undo(spam, { key: keys[3] })).toMatchObject({ state: 'spam' })
})

test.each([
  ['the answer has been sent', async () => '250 ok'],
  ['the server has tried to send the answer', refuse(451, '451 later')],
])('undo is rejected once %s', async (_what, send) => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(send)

  await expect(undo(reference)).rejects.toMatchObject({ message: expect.stringMatching(/^It is too late/) })
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
