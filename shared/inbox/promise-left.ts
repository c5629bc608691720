import { responseTimes } from '#facts/promises.ts'
import { officeMinutesBetween } from '../promise-clock.ts'

const PROMISED_MINUTES = responseTimes.emailReplyOfficeHours * 60
const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
// From this many minutes on, the time is shown in hours.
const LONG_MINUTES = 120
// If this much time or less is left, the tone is `soon`.
const SOON_MINUTES = 60

export type PromiseLeft = {
  /** "2 h left", "35 min left", "1 h over". */
  words: string
  tone: 'calm' | 'soon' | 'late'
  /** The part of the promised time that is left: from 1 to 0. */
  share: number
}

/**
 * How much of the promised time is left, in office hours: nights and weekends do not count. A delay
 * of a day or more is given in calendar days.
 */
export function promiseLeft({ dueAt }: { dueAt: string }, nowMs: number): PromiseLeft {
  const [due, now] = [new Date(dueAt), new Date(nowMs)]
  if (now > due) return { words: `${overInWords(due, now)} over`, tone: 'late', share: 0 }
  const minutes = officeMinutesBetween(now, due)
  return {
    words: minutes < 1 ? 'due now' : `${inWords(minutes)} left`,
    tone: minutes <= SOON_MINUTES ? 'soon' : 'calm',
    share: Math.min(1, minutes / PROMISED_MINUTES),
  }
}

function overInWords(due: Date, now: Date): string {
  const minutes = (now.getTime() - due.getTime()) / MINUTE_MS
  if (minutes < DAY_MINUTES) return inWords(Math.max(1, officeMinutesBetween(due, now)))
  const days = Math.floor(minutes / DAY_MINUTES)
  return `${days} ${days === 1 ? 'day' : 'days'}`
}

const inWords = (minutes: number) =>
  minutes < LONG_MINUTES ? `${Math.floor(minutes)} min` : `${Math.floor(minutes / 60)} h`
