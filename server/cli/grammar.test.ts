import { expect, test } from 'vitest'
import { count } from '../count.ts'
import { describeErasure } from './commands/erase.ts'
import { describeRestore } from './describe-restore.ts'

const names = (number: number, name: string) =>
  Array.from({ length: number }, (_, index) => `${name}${index}`)

const erasure = (number: number) =>
  describeErasure('ada@example.com', {
    references: names(number, 'Q-'),
    emails: number,
    emlFiles: number,
    notErased: [],
    backupsUntil: '2026-05-31T08:00:00.000Z',
  })
const restore = (number: number) =>
  describeRestore({
    leads: number,
    newestLeadAt: null,
    waitingEmails: number,
    erasedAgain: number,
    withdrawnAnswers: number,
    withdrawnPosts: number,
    keptAs: 'before.db',
    leftBehind: { leads: number, unnotified: number },
  } as Parameters<typeof describeRestore>[0])

test.each([
  ['erase result', erasure],
  ['restore result', restore],
])('the %s is grammatical with 0, 1 and 2 items', (_name, describe) => {
  // No plural after 1, and no singular after 0 or 2.
  expect(describe(1)).not.toMatch(/\b1 (?:newer )?\w+s\b|\b1 \w+ (?:were|are)\b|\bthere (?:is|are)\b/)
  for (const number of [0, 2])
    expect(describe(number)).not.toMatch(/\b[02] (?:newer )?(?:lead|email|file|line|backup)\b(?!s)/)
})

test('verbs are plural with 2 items', () => {
  expect(restore(2)).toContain(
    '2 leads arrived after this backup and are only in that file; you never got an email about 2 of them.',
  )
})

test('the restore result does not mention Docker', () => {
  expect(restore(1)).not.toMatch(/docker/i)
})

test('count adds thousands separators and accepts a noun with its verb', () => {
  expect(count(1, 'email was', 'emails were')).toBe('1 email was')
  expect(count(1000, 'email was', 'emails were')).toBe('1,000 emails were')
})
