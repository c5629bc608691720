import { expect, test } from 'vitest'
import { useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import type { Notice } from './notices.tsx'

useInboxPage()
const { withNotice } = await import('./notices.tsx')

const about = (reference: string) => ({ reference, name: '', firstName: '' })
const answerTo = (reference: string, sendsInMs: number): Notice => ({
  kind: 'answer',
  about: about(reference),
  key: 'k',
  sendsAt: new Date(Date.now() + sendsInMs).toJSON(),
})
const failure = { kind: 'failed', text: '' } as const
test.each<[string, () => Notice, string[]]>([
  ['an answer that can be undone stays', () => answerTo('Q-1', 1), ['old', 'new']],
  ['an answer that was sent goes', () => answerTo('Q-1', 0), ['new']],
  ['a failure stays', () => ({ ...failure, about: about('Q-2') }), ['old', 'new']],
  ['a failure goes with news of the same request', () => ({ ...failure, about: about('Q-1') }), ['new']],
  ['a failure without a request goes', () => failure, ['new']],
  ['success goes', () => ({ kind: 'done', text: '', about: about('Q-2') }), ['new']],
])('when another notice comes, %s', (_what, old, ids) => {
  const newer = { id: 'new', kind: 'done', text: '', about: about('Q-1') } as const
  const shown = withNotice([{ ...old(), id: 'old' }], newer)

  expect(shown.map(({ id }) => id)).toEqual(ids)
  expect(withNotice(shown, newer)).toBe(shown)
})

test('an answer that was sent before its notice comes has none, and what is shown stays', () => {
  const shown = withNotice([], { id: 'done', kind: 'done', text: '' })

  expect(withNotice(shown, { ...answerTo('Q-1', 0), id: 'k' })).toBe(shown)
  expect(withNotice(shown, { ...answerTo('Q-1', 1), id: 'k' }).map(({ id }) => id)).toEqual(['k'])
})

test('of two answers that can be undone, the one whose request is opened is offered', () => {
  const [first, second] = ['first', 'second'].map((id) => ({ ...answerTo('Q-1', 1), id }))
  const failed = { ...failure, about: about('Q-2'), id: 'failed' }
  if (!first || !second) throw new Error('An answer is missing.')

  const shown = withNotice([first, second, failed], first)
  expect(shown).toEqual([second, first, failed])
  expect(withNotice(shown, first)).toEqual(shown)
})
