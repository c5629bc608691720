import { closedOn, hours } from '#facts/hours.ts'
import { describeOfficeStatus } from './describe-office-status.ts'

const MINUTE_MS = 60_000

/**
 * Replaces the office hours next to each phone number with "Open until 6pm EST" or "Opens Mon 8am EST", also in the
 * parts of the page that React doesn't render (prerendered.tsx).
 * Call it only after hydration, because until then, the text must match the prerendered page.
 */
export function updateOfficeStatus() {
  const text = describeOfficeStatus({ hours, closedOn }, new Date()) ?? hours.text
  for (const element of document.querySelectorAll('[data-office-hours]')) element.textContent = text
}

/** Updates the office status now and every minute, until the returned function is called. */
export function showOfficeStatus() {
  updateOfficeStatus()
  const timer = setInterval(updateOfficeStatus, MINUTE_MS)
  return () => clearInterval(timer)
}
