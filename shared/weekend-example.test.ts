import { expect, test } from 'vitest'
import { weekDays, weekendExample } from './office-hours.ts'

const week = (...days: number[]) => days.flatMap((day) => weekDays[day] ?? [])

test.each([
  [week(0, 1, 2, 3, 4), 1, 'Saturday', 'Monday'],
  [week(0, 1, 2, 3, 4), 3, 'Saturday', 'Wednesday'],
  [week(0, 1, 2, 3, 4, 5), 1, 'Sunday', 'Monday'],
  [week(1, 2, 3, 4, 5), 1, 'Sunday', 'Tuesday'],
  [week(0, 1, 3, 4, 5, 6), 1, 'Wednesday', 'Thursday'],
])(
  'if the office opens on %j and a quote takes %i workdays, a quote requested on %s is due on %s',
  (days, quoteWorkdays, asked, due) => {
    expect(weekendExample({ days }, { quoteWorkdays })).toEqual({ asked, due })
  },
)

test('there is no example if the office opens every day, or if a quote takes longer than a week', () => {
  expect(weekendExample({ days: weekDays }, { quoteWorkdays: 1 })).toBeUndefined()
  expect(weekendExample({ days: week(0, 1) }, { quoteWorkdays: 3 })).toBeUndefined()
})
