/** "No requests", "1 request", "2 requests". */
export const count = (number: number, thing: string): string =>
  number === 0 ? `No ${thing}s` : `${number} ${thing}${number === 1 ? '' : 's'}`

/** In the largest unit that is not zero: "3 days", "5 hours", "12 minutes". */
export function duration(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes < 60) return count(minutes, 'minute').replace('No', '0')
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? count(hours, 'hour') : count(Math.floor(hours / 24), 'day')
}
