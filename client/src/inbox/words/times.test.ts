import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time-zone.ts'
import { answerTimes } from './times.ts'

const { fromWall } = createTimeZone(hours.timeZone)
const MINUTE_MS = 60_000
const opening = fromWall(Date.parse(`2026-03-03T${hours.opens}Z`))
const dayBefore = fromWall(Date.parse(`2026-03-02T${hours.opens}Z`))

test.each([
  ['a day ago', dayBefore, 90, ['Now', 'An hour ago', 'This morning', 'Yesterday']],
  ['two minutes before the office opened', opening - 2 * MINUTE_MS, 30, ['Now', 'This morning']],
  ['at the opening', opening, 90, ['Now', 'An hour ago', 'This morning']],
  ['a day ago, and it is before the opening', dayBefore, -60, ['Now', 'An hour ago', 'Yesterday']],
])(
  'for a request %s, the times of an answer are after it and not in the future',
  (_when, received, minutes, expected) => {
    const now = opening + minutes * MINUTE_MS

    const times = answerTimes(new Date(received).toISOString(), now)

    expect(times.map(({ words }) => words)).toEqual(expected)
    for (const { at } of times)
      expect([Date.parse(at) >= received, Date.parse(at) <= now]).toEqual([true, true])
  },
)
