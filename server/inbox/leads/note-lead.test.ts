import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/lead-tools.ts'
import { answerLead } from './answer-lead.ts'
import { undoChange } from './change-lead.ts'
import { markLead } from './mark-lead.ts'
import { noteLead, undoNote } from './note-lead.ts'
import { undoAnswer } from './undo-answer.ts'

const site = useTestApp()

const { submit, history } = leadTools(site)
const keys = [1, 2, 3].map((digit) => `019c0000-0000-7000-8000-00000000000${digit}`)
const noteBy = (who: string, reference: string, key: string, text = 'No answer') =>
  noteLead(site.inboxDeps, { reference, who, text, key })
const undoBy = (who: string, reference: string, key: string) =>
  undoNote(site.inboxDeps, { reference, who, key })
const answerBy = (who: string, reference: string, key: string) =>
  answerLead(site.inboxDeps, { reference, who, key, version: 0, base: null, text: 'Yes' })

test('notes never cause a conflict, and all of them are kept', async () => {
  const reference = await submit()
  await Promise.all(keys.map((key) => noteBy(bob, reference, key, key)))

  expect(await markLead(site.inboxDeps, { reference, who: anna, version: 0, state: 'won' })).toMatchObject({
    version: 1,
  })
  expect((await history(reference)).map(({ text }) => text).toSorted()).toEqual([...keys, null])
})

test('a note that is sent again with the same key is stored only once', async () => {
  const reference = await submit()
  const [first = '', second = ''] = keys
  await Promise.all([noteBy(anna, reference, first), noteBy(anna, reference, first)])
  await noteBy(anna, reference, second)

  expect((await history(reference)).map(({ text }) => text)).toEqual(['No answer', 'No answer'])
})

test('a note with the key of another note but a different text, owner or lead is rejected', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = ''] = keys
  await noteBy(anna, reference, key)

  const used = { code: 'idempotency_conflict' }
  await expect(noteBy(anna, reference, key, 'Other')).rejects.toMatchObject(used)
  await expect(noteBy(bob, reference, key)).rejects.toMatchObject(used)
  await expect(noteBy(anna, other, key)).rejects.toMatchObject(used)
})

test.each([
  ['two notes', noteBy],
  ['a note and an answer', answerBy],
])(
  'if %s with the same key are sent for two leads at the same time, only one is stored',
  async (_what, other) => {
    for (let round = 0; round < 5; round++) {
      const [one, two, key] = [await submit(), await submit(), randomUUID()]

      const results = await Promise.allSettled([noteBy(anna, one, key), other(anna, two, key)])

      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'idempotency_conflict' },
      })
    }
  },
)

test('a note that was undone does not come back if the network delivers it again', async () => {
  const reference = await submit()
  const [key = ''] = keys
  await noteBy(anna, reference, key)
  await undoBy(anna, reference, key)

  await expect(noteBy(anna, reference, key)).rejects.toMatchObject({
    code: 'conflict',
    message: 'This note was undone. Please save it again.',
  })
  expect(await history(reference)).toMatchObject([{ who: anna, what: 'note_undone', text: null }])
})

test('only the author of a note can undo it; the undo deletes the note, and repeating it changes nothing', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = '', kept = ''] = keys
  await noteBy(anna, reference, key)
  await noteBy(anna, reference, kept, 'Kept')

  await expect(undoBy(bob, reference, key)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undoBy(anna, other, key)).rejects.toMatchObject({ code: 'not_found' })
  expect(await history(reference)).toHaveLength(2)
  for (let times = 0; times < 2; times++) {
    expect(await undoBy(anna, reference, key)).toEqual({ state: 'open', version: 0 })
    expect(await history(reference)).toMatchObject([{ text: 'Kept' }, { what: 'note_undone' }])
  }
  await expect(undoBy(bob, reference, key)).rejects.toMatchObject({ code: 'not_found' })
})

test('undoing a note cannot delete an answer, and undoing an answer cannot delete a note', async () => {
  const reference = await submit()
  const [note = '', answer = ''] = keys
  await noteBy(anna, reference, note)
  await answerBy(anna, reference, answer)

  await expect(undoBy(anna, reference, answer)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undoAnswer(site.inboxDeps, { reference, who: anna, key: note })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await history(reference)).toHaveLength(2)
})

test('an earlier change can be undone even after notes have been added or undone', async () => {
  const reference = await submit()
  const [key = ''] = keys
  await markLead(site.inboxDeps, { reference, who: anna, version: 0, state: 'won' })
  await noteBy(bob, reference, key)
  await undoBy(bob, reference, key)

  expect(await undoChange(site.inboxDeps, { reference, who: anna, version: 1 })).toEqual({
    state: 'open',
    version: 2,
  })
})
