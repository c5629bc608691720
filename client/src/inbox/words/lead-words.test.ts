import { expect, test } from 'vitest'
import { plans } from '#facts/plans.ts'
import type { LeadEvent, LeadRow } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { emailInWords, isElsewhere, namesInWords, whoInWords } from './lead-words.ts'
import { linesOf, marksOf } from './row-words.ts'

test.each([
  [['Ada'], 'Ada'],
  [['Ada', 'Ben', 'Cy'], 'Ada, Ben, Cy'],
  [['Ada', 'Ben', 'Cy', 'Dana'], 'Ada, Ben, Cy and 1 more'],
])('a notice names at most three people (%#)', (names, words) => {
  expect(namesInWords(names.map((name) => ({ name })))).toBe(words)
})

test.each([
  ['the address of the request', 'ada@example.com', false],
  ['another address', 'eve@example.com', true],
  ['an unknown address', '', true],
])('whether a message came from elsewhere: %s', (_from, who, is) => {
  expect(isElsewhere({ who } as LeadEvent, { email: 'Ada@example.com' })).toBe(is)
})

const plain = { state: 'open', result: null, isUnread: false, unread: 0, files: [] as string[] } as LeadRow

test('a doubt about an address counts only while the request is open', () => {
  const doubtful = { ...plain, trouble: null, addressDoubt: 'Call instead.' }

  expect(linesOf(doubtful)).toEqual([['trouble', 'Call instead.']])
  expect(linesOf({ ...doubtful, state: 'answered' })).toEqual([])
})

test.each<[string, Partial<LeadRow>, string[]]>([
  [
    'the three most urgent',
    { stuckSince: '2026-03-04T15:00Z', hasDraft: true, isUnread: true, result: 'won' },
    ['Stuck', 'Draft', 'New'],
  ],
  ['how many messages are new', { isUnread: true, unread: 2 }, ['2 new']],
  ['one new message', { isUnread: true, unread: 1 }, ['New']],
  ['a customer', { result: 'won', wroteBefore: true }, ['Won', 'Wrote before']],
  ['a message that was read', { repliedAt: '2026-03-04T15:00Z' }, ['Wrote again']],
  ['no result that stands beside it', { result: 'lost', state: 'answered' }, []],
  ['a result with a follow-up', { result: 'lost', state: 'answered', followUpAt: '2026-03-04' }, ['Lost']],
  [
    'a follow-up beside a promise',
    { followUpAt: '2026-03-04T15:00Z', hasDraft: true },
    ['Follow up', 'Draft'],
  ],
  ['no follow-up that has not come yet', { followUpAt: '2026-03-04T17:00Z' }, []],
])('a row marks %s', (_what, row, marks) => {
  expect(marksOf({ ...plain, ...row }, Date.parse('2026-03-04T16:00Z'))).toEqual(marks)
})

test('why an answer failed takes the place of words, but not of new ones', () => {
  const failed = { ...plain, words: 'Thanks', trouble: 'Not delivered.' }

  expect(linesOf({ ...failed, trouble: null })).toEqual([['words', 'Thanks']])
  expect(linesOf(failed)).toEqual([['trouble', 'Not delivered.']])
  expect(linesOf({ ...failed, unread: 1 })).toEqual([
    ['trouble', 'Not delivered.'],
    ['words', 'Thanks'],
  ])
})

test.each([
  ['custom', 'Custom'],
  ['', 'No plan chosen'],
  [plans[0].id, plans[0].name],
  ['a plan of last year', 'a plan of last year'],
])('the budget "%s" is the plan "%s"', (budget, name) => {
  expect(planName(budget)).toBe(name)
})

test.each([
  ['anna@agency.example', 'You'],
  ['ben@agency.example', 'Ben'],
  ['', 'Somebody at an unknown address'],
  ['server', 'The mail system'],
  ['shell', 'Somebody on the server'],
])('who is "%s"? %s', (who, words) => {
  expect(whoInWords({ who, what: 'note' }, 'anna@agency.example')).toBe(words)
})

test('an address that is not a person’s is named whole', () => {
  const event = { who: 'hello@agency.example', what: 'answered_by_mail' }

  expect(whoInWords(event, 'anna@agency.example')).toBe('hello@agency.example')
})

test.each([
  ['webhook', 'sent', /: accepted$/],
  ['webhook', 'failed', /: not delivered$/],
  ['answer', 'queued', /: waiting to be sent$/],
  ['answer', 'sending', /: being sent$/],
  ['answer', 'sent', /^Answer to a@b\.c: accepted by the mail server$/],
] as const)('the outcome of a %s that is %s', (kind, state, words) => {
  expect(emailInWords({ kind, state, recipient: 'a@b.c', queuedAt: '', about: null, attempts: [] })).toMatch(
    words,
  )
})
