import { expect, test } from 'vitest'
import type { LeadView } from '#shared/inbox/lead.ts'
import { applyChange, isInView, type LeadChange, undoOf } from './apply-change.ts'

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
])('%s shows %j', (view, lead) => {
  const views = (['open', 'waiting', 'suspects', 'answered', 'won', 'lost', 'spam', 'all'] as const).filter(
    (view) => isInView(view, { ...open, ...lead }, today),
  )

  expect(views).toEqual([view, 'all'])
})

test('an answered lead has no trouble and no follow-up', () => {
  const lead = { ...open, followUpOn: '2026-03-03', trouble: 'The mailbox does not exist.' }

  const answered = applyChange(lead, { kind: 'state', state: 'answered' })

  expect(answered).toEqual({ state: 'answered', isSuspect: false, followUpOn: null, trouble: null })
})

test.each<[LeadChange, typeof open | typeof suspect]>([
  [{ kind: 'state', state: 'won' }, open],
  [{ kind: 'follow-up', on: '2026-03-09' }, open],
  [{ kind: 'verdict', verdict: 'spam' }, open],
])('undoing %j gives the lead as it was', (change, before) => {
  const undo = undoOf(change, before) as LeadChange

  expect(applyChange(applyChange(before, change), undo)).toEqual(before)
})

test('a suspect that was judged honest is no suspect anymore, and no change makes it one', () => {
  const change = { kind: 'verdict', verdict: 'honest' } as const

  expect(applyChange(suspect, change)).toEqual(open)
  expect(undoOf(change, suspect)).toBeNull()
})

test('spam that was judged honest becomes spam again', () => {
  const undo = undoOf({ kind: 'verdict', verdict: 'honest' }, { ...open, state: 'spam' })

  expect(undo).toEqual({ kind: 'verdict', verdict: 'spam' })
})
