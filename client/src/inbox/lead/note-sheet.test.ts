import { expect, test } from 'vitest'
import { fewFields, useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { keys, queryClient } from '../data/queries.ts'

const { use, ended, sent, respondWith } = useInboxPage()
const { useNote } = await import('./note-sheet.tsx')

test('a note is saved once, and its undo can be tried again; what was typed since is kept', async () => {
  const typed = () => queryClient.getQueryData(keys.typed('note', 'Q-1'))
  use(() => useNote(fewFields('Q-1'))).keep('One')
  const { keep, saveLatest } = use(() => useNote(fewFields('Q-1')))
  respondWith([200, { state: 'open', version: 3 }])
  saveLatest(() => {})
  const saved = await ended()
  expect(saved).toMatchObject({ kind: 'done', text: 'note saved.' })
  expect(typed()).toMatchObject({ text: '' })

  keep('Two')
  saved.undo?.()
  const failed = await ended()
  const reason = "the note couldn't be undone. The server cannot be reached. Please check your connection."
  expect(failed).toMatchObject({ kind: 'failed', text: reason })
  respondWith([409, { detail: 'No.' }])
  failed.retry?.()
  expect(await ended()).toMatchObject({ text: "the note couldn't be undone. No.", retry: undefined })

  respondWith([200, { state: 'open', version: 3 }])
  failed.retry?.()
  expect(await ended()).toMatchObject({ text: expect.stringMatching(/^undone\./) })
  expect(typed()).toMatchObject({ text: 'One\n\nTwo' })
  const [first, ...undos] = sent().map(({ path, body }) => [path, body])
  const { key } = Object(first?.[1])
  expect(new Set(undos.map(([path]) => path))).toEqual(new Set([`/api/leads/Q-1/notes/${key}/undo`]))
})

test('a note that is not saved after its sheet was closed says so, and stays', async () => {
  use(() => useNote(fewFields('Q-1'))).keep('One')
  respondWith([400, { detail: 'No.' }])
  use(() => useNote(fewFields('Q-1'))).saveLatest(() => {})

  expect(await ended()).toMatchObject({ kind: 'failed', text: 'the note was not saved. No.' })
  expect(queryClient.getQueryData(keys.typed('note', 'Q-1'))).toMatchObject({ text: 'One' })
})
