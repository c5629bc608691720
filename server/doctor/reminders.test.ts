import { expect, test } from 'vitest'
import { checkHolidays, checkQuestions } from './business-facts.ts'
import { checkReminders } from './reminders.ts'

const [on, off] = ['on', 'off'] as const
const works = { hasMailServer: true, isMailServerBroken: false }

test.each([
  [{ REMINDERS: on, INBOX: on }, works, 'ok', /^An email warns you/],
  [{ REMINDERS: on, INBOX: on }, { ...works, hasMailServer: false }, 'warning', /SMTP_URL is not set/],
  [{ REMINDERS: on, INBOX: on }, { ...works, isMailServerBroken: true }, 'warning', /does not work/],
  [{ REMINDERS: on, INBOX: off }, works, 'ok', /INBOX is off/],
  [{ REMINDERS: off, INBOX: on }, { ...works, hasMailServer: false }, 'ok', /REMINDERS is off/],
])('with %o and %o, the state of reminders is "%s"', (env, mail, state, seen) => {
  expect(checkReminders(env, mail)).toMatchObject({ state, seen: expect.stringMatching(seen) })
})

test.each([
  [['2026-12-25'], '2026-11-30T15:00Z', []],
  [['2026-12-25'], '2026-12-02T15:00Z', ['shared/business/hours.ts lists no holidays in 2027.']],
  [['2026-12-25', '2027-01-01'], '2026-12-02T15:00Z', []],
  [[], '2026-12-02T15:00Z', []],
])('with the holidays %o, on %s, the warnings are %o', (closedOn, now, warnings) => {
  expect(checkHolidays(closedOn, new Date(now)).map(({ seen }) => seen)).toEqual(warnings)
})

test('the doctor names the questions without an answer', () => {
  const answered = { question: 'Do you work on weekends?', answer: 'No.' }
  const open = { question: 'Who owns the domain?', answer: '' }

  expect(checkQuestions([answered])).toEqual([])
  expect(checkQuestions([answered, open]).map(({ seen }) => seen)).toEqual([
    'The page doesn\'t answer what buyers ask: "Who owns the domain?".',
  ])
})
