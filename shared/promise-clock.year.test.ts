import { expect, test } from 'vitest'
import { closedOn, hours } from '#facts/hours.ts'
import { type OfficeHours, weekDays } from './office-hours.ts'
import { createPromiseClock } from './promise-clock.ts'

// Formatting is slow, so only one time per quarter hour is formatted. Clocks change only on a quarter hour.
const QUARTER = 15
// The time between two requests. It is a prime number, so that requests come at all times of day.
const STEP_MINUTES = 149

type Office = OfficeHours & { closedOn: readonly string[] }

/** Lists, for each minute of a period, what the office's clock shows and whether the office is open. */
function watchOffice({ closedOn, ...office }: Office, from: number, minutes: number) {
  const { timeZone } = office
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  let [date, quarter, today, isWorkday, hasOpened] = ['', '', '', false, false]
  return Array.from({ length: minutes }, (_, minute) => {
    const past = minute % QUARTER
    if (past === 0) [date = '', quarter = ''] = format.format(from + minute * 60_000).split(' ')
    const time = quarter.slice(0, 3) + String(Number(quarter.slice(3)) + past).padStart(2, '0')
    if (date !== today) {
      const name = new Date(date).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
      isWorkday = office.days.some((day) => day === name) && !closedOn.includes(date)
      hasOpened = false
      today = date
    }
    // Once open, the office stays open when clocks go back.
    hasOpened ||= time >= office.opens
    return { date, time, isOpen: isWorkday && hasOpened && time < office.closes }
  })
}

type Minute = ReturnType<typeof watchOffice>[number]

/** Finds the next opening and the due times minute by minute, following the wording of the promises. */
function findDueTimes(period: Minute[], received: number) {
  const next = (from: number, isIt: (minute: Minute) => boolean) => {
    let index = from
    for (let minute = period[index]; minute && !isIt(minute); minute = period[index]) index++
    return index
  }
  const opens = next(received, ({ isOpen }) => isOpen)
  let reply = received
  for (let left = 4 * 60; left > 0; reply++) if (period[reply]?.isOpen) left--
  if (opens > received) return { opens, reply, quote: next(opens, ({ isOpen }) => !isOpen) }
  const { date, time } = period[received] as Minute
  const nextWorkday = next(received, (minute) => minute.isOpen && minute.date > date)
  return { opens, reply, quote: next(nextWorkday, (minute) => minute.time >= time) }
}

const offices: [what: string, office: Office][] = [
  ['our office', { ...hours, closedOn }],
  [
    'an office that is open nearly all the time, in a zone whose clocks change by half an hour',
    {
      ...{ days: weekDays, opens: '00:00', closes: '23:59' },
      ...{ closedOn: ['2026-04-05', '2026-12-25'], timeZone: 'Australia/Lord_Howe' },
    },
  ],
  [
    'an office that opens at midnight, where the clocks change at midnight',
    {
      ...{ days: ['Sunday', 'Monday'], opens: '00:00', closes: '12:30' },
      ...{ closedOn: [], timeZone: 'America/Santiago' },
    },
  ],
  [
    'an office that is open during the hour that clocks skip',
    {
      ...{ days: ['Saturday', 'Sunday'], opens: '02:30', closes: '11:15' },
      ...{ closedOn: ['2026-07-05'], timeZone: 'Europe/Berlin' },
    },
  ],
  [
    'an office with a half-hour UTC offset',
    {
      ...{ days: weekDays.slice(0, 6), opens: '09:30', closes: '18:45' },
      ...{ closedOn: ['2026-01-26', '2026-08-15'], timeZone: 'Asia/Kolkata' },
    },
  ],
]

const promised = { responseTimes: { emailReplyOfficeHours: 4, quoteWorkdays: 1 } }
const DAY_MINUTES = 24 * 60
const start = Date.parse('2026-01-01T00:00Z')
const [year, period] = [365 * DAY_MINUTES, 395 * DAY_MINUTES]

test.each(offices)(
  'the due times for a year of requests match the promises of %s',
  { timeout: 60_000 },
  (_what, office) => {
    const minutes = watchOffice(office, start, period)
    const clock = createPromiseClock({ ...promised, hours: office, closedOn: office.closedOn })
    const minuteOf = (time: Date) => (time.getTime() - start) / 60_000

    for (let received = 0; received < year; received += STEP_MINUTES) {
      const time = new Date(start + received * 60_000)
      const due = [clock.nextOpening(time), clock.replyDueAt(time), clock.quoteDueAt(time)].map(minuteOf)
      const { opens, reply, quote } = findDueTimes(minutes, received)
      expect(`${time.toJSON()} ${due}`).toBe(`${time.toJSON()} ${[opens, reply, quote]}`)
    }
  },
)
