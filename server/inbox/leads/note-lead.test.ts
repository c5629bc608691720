import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/leads.ts'
import { markLead, noteLead, undoNote } from './change-lead.ts'

const site = useTestApp()

const { submit, history } = leadTools(site)
const keys = [1, 2, 3].map((digit) => `019c0000-0000-7000-8000-00000000000${digit}`)
const noteBy = (who: string, reference: string, key: string, text = 'No answer') =>
  noteLead(site.inboxDeps, { reference, who, text, key })
const undoBy = (who: string, reference: string, key: string) =>
  undoNote(site.inboxDeps, { reference, who, key })

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

test('only the author of a note can undo it, which deletes it', async () => {
  const [reference, other] = [await submit(), await submit()]
  const [key = '', kept = ''] = keys
  await noteBy(anna, reference, key)
  await noteBy(anna, reference, kept, 'Kept')

  await undoBy(bob, reference, key)
  await undoBy(anna, other, key)
  expect(await history(reference)).toHaveLength(2)
  for (const _ of [1, 2]) expect(await undoBy(anna, reference, key)).toEqual({ state: 'open', version: 0 })
  expect(await history(reference)).toMatchObject([{ text: 'Kept' }])
})
