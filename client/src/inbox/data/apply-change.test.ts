import { expect, test } from 'vitest'
import type { LeadView } from '#shared/inbox/lead.ts'
import { applyChange, isInView } from './apply-change.ts'

const open = { state: 'open', isSuspect: false, followUpOn: null, trouble: null } as const
const suspect = { ...open, isSuspect: true }
const today = '2026-03-02'

test.each<[LeadView, object]>([
  ['open', open],
  ['suspects', suspect],
  ['open', { ...open, followUpOn: '2026-03-02' }],
  ['waiting', { ...open, followUpOn: '2026-03-03' }],
  ['waiting', { ...open, state: 'answered', followUpOn: '2026-03-03' }],
  ['answered', { ...open, state: 'answered' }],
  ['won', { ...open, state: 'won', followUpOn: '2026-03-03' }],
])('only the views "%s" and "all" list the lead %j', (view, lead) => {
  const views = (['open', 'waiting', 'suspects', 'answered', 'won', 'lost', 'spam', 'all'] as const).filter(
    (view) => isInView(view, { ...open, ...lead }, today),
  )

  expect(views).toEqual([view, 'all'])
})

test.each(['answered', 'won', 'lost', 'spam'] as const)(
  'marking a lead as %s clears its follow-up and the message about a failed answer',
  (state) => {
    const lead = { ...open, followUpOn: '2026-03-03', trouble: 'The mailbox does not exist.' }

    const changed = applyChange(lead, { kind: 'state', state })

    expect(changed).toEqual({ state, isSuspect: false, followUpOn: null, trouble: null })
  },
)

test('reopening a lead clears its follow-up', () => {
  const lead = { ...open, state: 'answered' as const, followUpOn: '2026-03-03' }

  expect(applyChange(lead, { kind: 'state', state: 'open' })).toMatchObject({
    state: 'open',
    followUpOn: null,
  })
})
