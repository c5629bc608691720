import {
  type ComponentProps,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react'
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

const OfficeStatus = createContext(hours.text)

/** Keeps the office's status up to date for every `OpenOrClosed` inside. */
export function ProvideOfficeStatus({ children }: { children: ReactNode }) {
  const [text, setText] = useState(hours.text)
  useEffect(() => {
    const update = () => {
      // Whoever types would notice the delay.
      if (document.activeElement?.matches('input, textarea')) return
      const status = describeOfficeStatus({ hours, closedOn }, new Date())
      // A transition waits until the whole page is hydrated.
      startTransition(() => setText(status ?? hours.text))
    }
    const timer = setInterval(update, UPDATE_MS)
    return () => clearInterval(timer)
  }, [])
  return <OfficeStatus value={text}>{children}</OfficeStatus>
}

/**
 * The office hours, next to a phone number. Once the script runs, they say whether the office is
 * open.
 */
export function OpenOrClosed(props: ComponentProps<'span'>) {
  return (
    <span data-office-hours="" {...props}>
      {useContext(OfficeStatus)}
    </span>
  )
}
