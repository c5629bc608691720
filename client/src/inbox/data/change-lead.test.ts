import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LeadRow, leadStates } from '#shared/inbox/lead.ts'
import type { LeadChange } from './apply-change.ts'
import { type Changed, changeLead, undoChange } from './change-lead.ts'
import { findRow } from './lead-cache.ts'
import { keys, queryClient } from './query-client.ts'

const row = (reference: string): LeadRow => ({
  ...{ reference, name: 'Ada', budget: '', firstWords: 'Hello', state: 'open', isSuspect: false },
  ...{
    isUnread: false,
    receivedAt: '',
    dueAt: '',
    followUpOn: null,
    trouble: null,
    stuckSince: null,
    addressDoubt: null,
    version: 3,
  },
})

const listed = (...leads: LeadRow[]) => ({ pageParams: [''], pages: [{ leads, next: null }] })

const shown = (view = 'open') =>
  queryClient
    .getQueryData<{ pages: { leads: LeadRow[] }[] }>(keys.leads(view, ''))
    ?.pages.flatMap(({ leads }) => leads.map(({ reference, state }) => `${reference} ${state}`))

/** The requests that the fake server has received. It responds to a request when a test calls that request's `answer`. */
let sent: { path: string; body: unknown; answer: (status: number, body: object) => Promise<unknown> }[]
beforeEach(() => {
  sent = []
  queryClient.clear()
  for (const view of ['open', 'all'])
    queryClient.setQueryData(keys.leads(view, ''), listed(row('Q-1'), row('Q-2')))
  vi.stubGlobal('fetch', (path: string, { body }: { body: string }) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const answer = (status: number, body: object) => {
      resolve(new Response(JSON.stringify(body), { status }))
      return vi.waitFor(() => promise)
    }
    sent.push({ path, body: JSON.parse(body), answer })
    return promise
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const win = { kind: 'state', state: 'won' } as const
const isSent = (count: number) => vi.waitFor(() => expect(sent).toHaveLength(count), { interval: 1 })

test('every list shows a change before the server responds', async () => {
  const changed = changeLead('Q-1', win)
  await isSent(1)

  expect([shown('open'), shown('all')]).toEqual([['Q-2 open'], ['Q-1 won', 'Q-2 open']])
  expect(sent[0]).toMatchObject({ path: '/api/leads/Q-1/state', body: { state: 'won', version: 3 } })

  await sent[0]?.answer(200, { state: 'won', version: 4 })
  expect(await changed).toMatchObject({ version: 4 })
})

test('if the server cannot save a change, the change is rolled back', async () => {
  const changed = changeLead('Q-1', win)
  await isSent(1)

  await sent[0]?.answer(503, { detail: 'Please try again.' })

  await expect(changed).rejects.toThrow('Please try again.')
  expect(shown('open')).toEqual(['Q-1 open', 'Q-2 open'])
})

test("after a conflict with another owner, the lead shows that owner's change", async () => {
  const changed = changeLead('Q-1', win)
  await isSent(1)

  await sent[0]?.answer(409, { detail: 'Bob was faster.', current: { state: 'lost', version: 9 } })

  await expect(changed).rejects.toThrow('Bob was faster.')
  expect([shown('open'), shown('all')]).toEqual([['Q-2 open'], ['Q-1 lost', 'Q-2 open']])
})

test('a conflict with an owner who made the same change is not an error', async () => {
  const changed = changeLead('Q-1', win)
  await isSent(1)

  await sent[0]?.answer(409, { detail: 'Bob was faster.', current: { state: 'won', version: 9 } })

  expect(await changed).toMatchObject({ reference: 'Q-1' })
  expect(findRow('Q-1')).toMatchObject({ state: 'won', version: 9 })
})

test('a second change to a lead waits for the first, and is sent with the version that the first one returned', async () => {
  const first = changeLead('Q-1', { kind: 'follow-up', on: '2026-03-09' })
  const second = changeLead('Q-1', win)
  await isSent(1)

  await sent[0]?.answer(200, { state: 'open', version: 4 })
  await first
  await isSent(2)

  expect(sent[1]?.body).toEqual({ state: 'won', version: 4 })
  await sent[1]?.answer(200, { state: 'won', version: 5 })
  await second
})

const starts: Partial<LeadRow>[] = [
  { state: 'open' },
  { state: 'open', isSuspect: true },
  { state: 'open', trouble: 'The mailbox does not exist.', followUpOn: '2026-03-03' },
  { state: 'answered', followUpOn: '2026-03-03' },
  { state: 'won' },
  { state: 'lost' },
  { state: 'spam' },
]
const changes: LeadChange[] = [
  ...leadStates.map((state) => ({ kind: 'state', state }) as const),
  { kind: 'follow-up', on: '2026-03-09' },
  { kind: 'follow-up', on: null },
]

test.each(starts)('undoing any change restores the lead %j before the server responds', async (start) => {
  queryClient.removeQueries({ queryKey: keys.leads('open', '') })
  for (const change of changes) {
    sent = []
    queryClient.setQueryData(keys.leads('all', ''), listed({ ...row('Q-1'), ...start }))
    queryClient.removeQueries({ queryKey: keys.changedRow('Q-1') })
    const changed = changeLead('Q-1', change)
    await isSent(1)
    await sent[0]?.answer(200, { state: 'won', version: 7 })

    const undone = undoChange((await changed) as Changed)
    await isSent(2)

    expect(sent[1]).toMatchObject({ path: '/api/leads/Q-1/undo', body: { version: 7 } })
    expect(findRow('Q-1')).toEqual({ ...row('Q-1'), state: 'open', ...start, version: 7 })
    await sent[1]?.answer(200, { state: 'lost', version: 8 })
    await undone
    expect(findRow('Q-1')).toMatchObject({ state: 'lost', version: 8 })
  }
})

test('if another owner has changed the lead since, an undo fails, and the page shows the new state', async () => {
  const changed = changeLead('Q-1', win)
  await isSent(1)
  await sent[0]?.answer(200, { state: 'won', version: 4 })
  const undone = undoChange((await changed) as Changed)
  await isSent(2)

  await sent[1]?.answer(409, { detail: 'Ben was faster.', current: { state: 'lost', version: 5 } })

  await expect(undone).rejects.toThrow('Ben was faster.')
  expect(findRow('Q-1')).toMatchObject({ state: 'lost', version: 5 })
})

test('a change can be undone even if the lead is no longer in any list', async () => {
  queryClient.removeQueries({ queryKey: keys.leads('all', '') })
  const changed = changeLead('Q-1', win)
  await isSent(1)
  await sent[0]?.answer(200, { state: 'won', version: 4 })

  const undone = undoChange((await changed) as Changed)
  await isSent(2)

  expect(sent[1]?.body).toEqual({ version: 4 })
  await sent[1]?.answer(200, { state: 'open', version: 5 })
  await undone
})

test('changes to different leads do not wait for each other', async () => {
  const both = [changeLead('Q-1', win), changeLead('Q-2', win)]

  await isSent(2)

  for (const request of sent) await request.answer(200, { state: 'won', version: 4 })
  await Promise.all(both)
})
