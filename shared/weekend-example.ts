import { type OfficeHours, type ResponseTimes, weekDays } from './office-hours.ts'

type WeekDay = (typeof weekDays)[number]

/**
 * An example for the page: a quote requested on `asked`, a day when the office is closed, is due at closing time on `due`.
 * Undefined if the office opens every day, or if the quote takes longer than a week.
 */
export function weekendExample(
  { days }: Pick<OfficeHours, 'days'>,
  { quoteWorkdays }: Pick<ResponseTimes, 'quoteWorkdays'>,
): { asked: WeekDay; due: WeekDay } | undefined {
  const fromSaturday = [...weekDays.slice(5), ...weekDays.slice(0, 5)]
  const asked = fromSaturday.findIndex((day) => !days.includes(day))
  const next = [...fromSaturday.slice(asked), ...fromSaturday.slice(0, asked)]
  const due = next.filter((day) => days.includes(day))[quoteWorkdays - 1]
  const day = fromSaturday[asked]
  return day && due && { asked: day, due }
}
