import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/lead-tools.ts'
import { answerLead } from './answer-lead.ts'
import { markLead } from './mark-lead.ts'
import { noteLead, undoNote } from './note-lead.ts'
import { undoAnswer } from './undo-answer.ts'

const site = useTestApp()

const { submit, history } = leadTools(site)
const keys = [1, 2, 3].map((digit) => `019c0000-0000-7000-8000-00000000000${digit}`)
const noteBy = (who: string, reference: string, key: string, text = 'No answer') =>
  noteLead(site.inboxDeps, { reference, who, text, key })

test('notes never cause a conflict, and are kept in order', async () => {
  const reference = await submit()
  await Promise.all(keys.map((key) => noteBy(bob, reference, key, key)))

  expect(await markLead(site.inboxDeps, { reference, who: anna, version: 0, state: 'won' })).toMatchObject({
    version: 1,
  })
  expect((await history(reference)).map(({ text }) => text).toSorted()).toEqual([...keys, null])
})

test('a note that is sent again with its key is stored once', async () => {
  const reference = await submit()
  const [first = '', second = ''] = keys
  await Promise.all([noteBy(anna, reference, first), noteBy(anna, reference, first)])
  await noteBy(anna, reference, second)

  expect((await history(reference)).map(({ text }) => text)).toEqual(['No answer', 'No answer'])
})

test('the key of a note with a different text, owner or lead is rejected', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = ''] = keys
  await noteBy(anna, reference, key)

  const used = { code: 'idempotency_conflict' }
  await expect(noteBy(anna, reference, key, 'Other')).rejects.toMatchObject(used)
  await expect(noteBy(bob, reference, key)).rejects.toMatchObject(used)
  await expect(noteBy(anna, other, key)).rejects.toMatchObject(used)
})

test('undoing a note deletes it, but only its author can, and only once', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = '', kept = ''] = keys
  await noteBy(anna, reference, key)
  await noteBy(anna, reference, kept, 'Kept')
  const undo = (who: string, of = reference) => undoNote(site.inboxDeps, { reference: of, who, key })

  await expect(undo(bob)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undo(anna, other)).rejects.toMatchObject({ code: 'not_found' })
  expect(await history(reference)).toHaveLength(2)
  expect(await undo(anna)).toEqual({ state: 'open', version: 0 })
  expect(await history(reference)).toMatchObject([{ text: 'Kept' }])
  await expect(undo(anna)).rejects.toMatchObject({ code: 'not_found' })
})

test('the undo of a note deletes no answer, and the undo of an answer no note', async () => {
  const reference = await submit()
  const [note = '', answer = ''] = keys
  await noteBy(anna, reference, note)
  await answerLead(site.inboxDeps, { reference, version: 0, who: anna, key: answer, base: null, text: 'Yes' })

  const of = (key: string) => ({ reference, who: anna, key })
  await expect(undoNote(site.inboxDeps, of(answer))).rejects.toMatchObject({ code: 'not_found' })
  await expect(undoAnswer(site.inboxDeps, of(note))).rejects.toMatchObject({ code: 'not_found' })
  expect(await history(reference)).toHaveLength(2)
})
