import { expect, test } from 'vitest'
import { exampleOffice } from './example-office.ts'
import { weekDays, weekendExample } from './office-hours.ts'
import { createPromiseClock } from './promise-clock.ts'

const { hours } = exampleOffice
const week = (...days: number[]) => days.flatMap((day) => weekDays[day] ?? [])

/** When a quote requested on `asked` is due, according to the promise clock: ["Monday 6 PM"]. */
function dueInWords(days: ReturnType<typeof week>, quoteWorkdays: number, asked: string) {
  const responseTimes = { quoteWorkdays, emailReplyOfficeHours: 4 }
  const { quoteDueAt } = createPromiseClock({ hours: { ...hours, days }, closedOn: [], responseTimes })
  const options = { weekday: 'long', hour: 'numeric', timeZone: hours.timeZone } as const
  const inWords = (time: Date) => time.toLocaleString('en-US', options).replace(/,? at|,/, '')
  const noons = [1, 2, 3, 4, 5, 6, 7].map((day) => new Date(`2026-06-0${day}T16:00:00Z`))
  return noons.filter((noon) => inWords(noon).startsWith(asked)).map((noon) => inWords(quoteDueAt(noon)))
}

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

    expect(dueInWords(days, quoteWorkdays, asked)).toEqual([`${due} 6 PM`])
  },
)

test('there is no example if the office opens every day, or if a quote takes longer than a week', () => {
  expect(weekendExample({ days: weekDays }, { quoteWorkdays: 1 })).toBeUndefined()
  expect(weekendExample({ days: week(0, 1) }, { quoteWorkdays: 3 })).toBeUndefined()
})
