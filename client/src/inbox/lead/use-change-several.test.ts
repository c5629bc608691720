import { expect, test, vi } from 'vitest'
import { fewFields, showLeads, storedLead, useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { queryClient } from '../data/queries.ts'

const { use, ended, sent, respondWith, shown } = useInboxPage()
const { useChangeSeveral } = await import('./use-change.ts')

test('several requests that could not be changed are shown as they were, and can be tried again', async () => {
  const leads = [fewFields('Q-1'), fewFields('Q-2', { state: 'answered', followUpAt: '2026-03-04T13:00Z' })]
  const endRead = showLeads(...leads)
  const change = use(useChangeSeveral)
  change(leads, { result: 'lost' })
  await vi.advanceTimersByTimeAsync(0)
  endRead()
  await vi.advanceTimersByTimeAsync(0)
  expect([shown('Q-1')?.result, shown('Q-2')?.result]).toEqual(['lost', 'lost'])

  const failed = await ended()
  expect(failed).toMatchObject({
    kind: 'failed',
    text: 'Ada, Ben: not changed. The server cannot be reached. Please check your connection.',
  })
  expect(sent()).toHaveLength(4)
  expect([shown('Q-1')?.state, shown('Q-2')?.state]).toEqual(['open', 'answered'])

  const refresh = vi.spyOn(queryClient, 'invalidateQueries')
  respondWith([200, { changed: [{ reference: 'Q-2', state: 'answered', version: 4 }], left: ['Q-1'] }])
  failed.retry?.()
  const done = await ended()
  const faster = 'Ada: not changed, because something new has happened there.'
  expect(done).toMatchObject({ kind: 'failed', text: `${faster} Ben: marked as lost.` })
  expect(refresh).toHaveBeenCalled()

  respondWith([200, { changed: [{ reference: 'Q-2', state: 'answered', version: 5 }], left: [] }])
  done.undo?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent().at(-1)?.body).toEqual({ leads: [{ reference: 'Q-2', version: 4 }] })
  const undone = await ended()
  expect(undone).toMatchObject({ kind: 'done', text: 'Ben: undone.', undo: undefined })
  // Undoing it opens no lead that nobody has looked at.
  for (const notice of [done, undone]) expect(notice).not.toHaveProperty('about')
  expect(storedLead('Q-2')).toMatchObject({ state: 'answered', followUpAt: '2026-03-04T13:00Z', version: 5 })
})

test('what the server refuses for several requests is not offered again', async () => {
  respondWith([400, { detail: 'No.' }])
  use(useChangeSeveral)([fewFields('Q-1')], { result: 'lost' })
  expect(await ended()).toMatchObject({ text: 'Ada: not changed. No.', retry: undefined })

  respondWith([200, { changed: [], left: ['Q-1'] }])
  use(useChangeSeveral)([fewFields('Q-1')], { result: 'lost' })
  expect(await ended()).toMatchObject({
    text: expect.stringMatching(/^Ada: not changed, because/),
    undo: undefined,
  })
})

test('of several requests, nothing is said about one that was already as it should be', async () => {
  const spam = fewFields('Q-1', { state: 'spam' })
  respondWith([200, { changed: [{ reference: 'Q-2', state: 'spam', version: 4 }], left: [] }])
  use(useChangeSeveral)([spam, fewFields('Q-2')], { state: 'spam' })

  expect(await ended()).toMatchObject({ kind: 'done', text: 'Ben: marked as spam.' })
})

test('of several requests without anything to answer, those that still wait are named', async () => {
  const statuses = [
    { reference: 'Q-1', state: 'answered', version: 4 },
    { reference: 'Q-2', state: 'open', version: 4 },
  ]
  respondWith([200, { changed: statuses, left: [] }])
  use(useChangeSeveral)([fewFields('Q-1'), fewFields('Q-2')], { isAnswered: true })

  const text = 'Ada: nothing to answer. Ben: nothing to answer. The request itself still waits.'
  expect(await ended()).toMatchObject({ kind: 'done', text })
})
