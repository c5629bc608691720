import { type ComponentProps, startTransition, useEffect, useState } from 'react'
import { openNow, opensNext } from '#brand/words/hours.ts'
import { closedOn, hours } from '#facts/hours.ts'
import { locale } from '#shared/computed-facts.ts'
import { type OfficeFacts, officeStatus } from '#shared/time/office-hours.ts'

const WEEK_DAYS = 7
// Not at once: converting the time loads `Intl`, which takes 80 ms on a slow phone.
const UPDATE_MS = 5_000

/** "Open until 6pm EST" or "Opens Mon 8am EST"; undefined if the office never opens. */
export function describeOfficeStatus(office: Pick<OfficeFacts, 'hours' | 'closedOn'>, now: Date) {
  const status = officeStatus(office, now)
  if (!status || status.isOpen) return status && openNow
  const format: Intl.DateTimeFormatOptions =
    status.daysAway < WEEK_DAYS ? { weekday: 'short' } : { month: 'short', day: 'numeric' }
  return opensNext.replace('{day}', status.day.toLocaleDateString(locale, { ...format, timeZone: 'UTC' }))
}

/** What all places say. */
let shown = hours.text

/**
 * The office hours, next to a phone number. Once the script runs, they say whether the office is
 * open. The first change waits until none of these texts is in sight, so that nothing changes
 * without a reason while the visitor reads, and all places say the same. Later, they change when
 * the office opens or closes.
 */
export function OpenOrClosed(props: ComponentProps<'span'>) {
  const [text, setText] = useState(shown)
  useEffect(() => {
    const update = () => {
      const all = [...document.querySelectorAll('[data-office-hours]')]
      if (shown === hours.text && all.some(isInSight)) return
      // Whoever types would notice the delay.
      if (document.activeElement?.matches('input, textarea')) return
      shown = describeOfficeStatus({ hours, closedOn }, new Date()) ?? hours.text
      // A transition waits until the whole page is hydrated.
      startTransition(() => setText(shown))
    }
    const timer = setInterval(update, UPDATE_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span data-office-hours="" {...props}>
      {text}
    </span>
  )
}

function isInSight(element: Element): boolean {
  const { top, bottom, height } = element.getBoundingClientRect()
  const isInWindow = height > 0 && bottom > 0 && top < innerHeight
  return isInWindow && !document.hidden && getComputedStyle(element).visibility === 'visible'
}
