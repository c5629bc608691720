export const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Converts between instants and wall time, which is what clocks in a time zone show. Both are in
 * milliseconds. A wall time is encoded as if it were UTC, so a day begins at a multiple of
 * `DAY_MS`.
 */
export function createTimeZone(name: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const ask = (instant: number) => parseOffset(format.format(instant))
  // `Intl` is much slower than the arithmetic in this file, so each day's offset is remembered.
  const known = new Map<number, number>()

  /** The offset at the beginning of a day in UTC. */
  function offsetOn(day: number): number {
    const found = known.get(day)
    if (found !== undefined) return found
    const offset = ask(day * DAY_MS)
    known.set(day, offset)
    return offset
  }

  function toWall(instant: number): number {
    const day = Math.floor(instant / DAY_MS)
    const offset = offsetOn(day)
    return instant + (offset === offsetOn(day + 1) ? offset : ask(instant))
  }

  /** The first instant when clocks show this time. If they skip it, they count as not yet changed. */
  function fromWall(wall: number): number {
    const day = Math.floor(wall / DAY_MS)
    // The instant that we are looking for is on the UTC day `day`, the day before, or the day
    // after.
    const [before, after] = [wall - offsetOn(day - 1), wall - offsetOn(day + 2)]
    return before !== after && toWall(before) !== wall && toWall(after) === wall ? after : before
  }

  return { toWall, fromWall }
}

const modulo = (value: number, divisor: number) => ((value % divisor) + divisor) % divisor

/** The midnight at which this wall time's day began. */
export const startOfDay = (wall: number): number => wall - modulo(wall, DAY_MS)

/** The day of the week of a wall time: 0 is Monday. 1970 began on a Thursday. */
export const weekDayOf = (wall: number): number => modulo(Math.floor(wall / DAY_MS) + 3, 7)

/**
 * Whether this is a real day, such as "2026-12-25". JavaScript would read "2026-02-30" as March 2.
 */
export const isDay = (day: unknown): day is string =>
  typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && new Date(day).toJSON()?.slice(0, 10) === day

/**
 * Reads the offset in "3/2/2026, GMT-05:00", in milliseconds. Offsets before 1972 may include
 * seconds.
 */
function parseOffset(text: string): number {
  const [, sign, hours, minutes, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d):?(\d\d)?)?$/.exec(text) ?? []
  if (!sign) return 0
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * 1000
}
