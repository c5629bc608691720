import { expect, test } from 'vitest'
import { plans } from '#facts/plans.ts'
import type { LeadEvent, LeadRow } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { emailInWords, isElsewhere, marksOf, namesInWords, troubleInRow, whoInWords } from './lead-words.ts'

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

test('a doubt about an address counts only while the request is open', () => {
  const doubtful = { trouble: null, addressDoubt: 'Call instead.' }

  expect(troubleInRow({ ...doubtful, state: 'open' } as LeadRow)).toBe('Call instead.')
  expect(troubleInRow({ ...doubtful, state: 'won' } as LeadRow)).toBeNull()
})

test('a row has the two most urgent marks', () => {
  const row = { stuckSince: '2026-03-04T15:00Z', writer: null, hasDraft: true, isUnread: true }

  expect(marksOf(row as LeadRow)).toEqual(['Stuck', 'Draft'])
  expect(marksOf({ ...row, stuckSince: null } as LeadRow)).toEqual(['Draft', 'New'])
})

test.each([
  ['custom', 'Custom'],
  ['', 'No plan chosen'],
  [plans[0].id, plans[0].name],
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
  ['answer', 'sent', /^Answer to a@b\.c: accepted by the mail server$/],
] as const)('the outcome of a %s that is %s', (kind, state, words) => {
  expect(emailInWords({ kind, state, recipient: 'a@b.c', queuedAt: '', about: null, attempts: [] })).toMatch(
    words,
  )
})
