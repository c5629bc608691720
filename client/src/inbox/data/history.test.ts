import { expect, test } from 'vitest'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { fewFields, storedLead, useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { forgetLead, keys, queryClient, useEarlier, withEarlier } from './queries.ts'

const { ended, respondWith, sent, use } = useInboxPage()

/** A lead of which these events are loaded. */
const lead = (ids: number[], hasEarlier: boolean, senders: string[] = []) =>
  ({
    events: ids.map((id) => ({ id })),
    hasEarlier,
    senders: senders.map((address) => ({ address, event: 1 })),
  }) as LeadDetail
const merged = (shown: LeadDetail | undefined, fetched: LeadDetail) => {
  const { events, hasEarlier } = withEarlier(shown, fetched)
  return [events.map(({ id }) => id), hasEarlier]
}

test.each([
  [
    'keeps the earlier part of the history',
    lead([1, 2, 3], false),
    lead([3, 4], true),
    [[1, 2, 3, 4], false],
  ],
  ['knows that there is still more', lead([2, 3], true), lead([3, 4], true), [[2, 3, 4], true]],
  ['has no gap', lead([1, 2], false), lead([4, 5], true), [[4, 5], true]],
  ['shows nothing that was deleted', lead([1, 2, 3], false), lead([2, 4], false), [[2, 4], false]],
  [
    'forgets the part of somebody erased',
    lead([1, 2, 3], false, ['a', 'b']),
    lead([3], true, ['b']),
    [[3], true],
  ],
  [
    'keeps it if somebody else writes',
    lead([2, 3], false, ['b']),
    lead([3], true, ['a', 'b']),
    [[2, 3], false],
  ],
  ['was not shown before', undefined, lead([3], true), [[3], true]],
])('a lead that was fetched again %s', (_what, shown, fetched, expected) => {
  expect(merged(shown, fetched)).toEqual(expected)
})

test('the earlier history is added once, however often it is asked for', async () => {
  const shown = fewFields('Q-1', { events: [{ id: 9 }] as LeadDetail['events'] })
  queryClient.setQueryData(keys.lead('Q-1'), shown)
  const { mutate } = use(() => useEarlier(shown, () => {}))
  const nothing = { from: null, to: null, text: null, recipient: null, undoes: null, message: null }
  const event = { ...nothing, id: 8, at: '', who: '', what: 'note', attachments: [] }
  const earlier = { events: [event], hasEarlier: true }
  respondWith([200, earlier], [200, earlier])
  mutate()
  mutate()
  await ended()

  expect(sent().map(({ path }) => path)).toContain('/api/leads/Q-1/events?before=9')
  expect(storedLead('Q-1')).toMatchObject({ events: [{ id: 8 }, { id: 9 }], hasEarlier: true })
})

test('of somebody erased, nothing that was typed stays', () => {
  for (const reference of ['Q-1', 'Q-2']) queryClient.setQueryData(keys.typed('note', reference), 'Call')
  forgetLead('Q-1')

  const typed = queryClient.getQueriesData({ queryKey: ['typed'] })
  expect(typed).toEqual([[keys.typed('note', 'Q-2'), 'Call']])
})
