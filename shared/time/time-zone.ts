export const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Converts between instants and wall time, which is what clocks in a time zone show. Both are in
 * milliseconds. A wall time is encoded as if it were UTC, so a day begins at a multiple of
 * `DAY_MS`.
 */
export function createTimeZone(name: string) {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  // `Intl` is much slower than the arithmetic in this file, so each day's offset is remembered.
  const ask = (instant: number) => parseOffset(format.format(instant))
  const offsetOn = remember((day) => ask(day * DAY_MS))
  const changeOn = remember((day) =>
    firstBetween(day * DAY_MS, (day + 1) * DAY_MS, (instant) => ask(instant) !== offsetOn(day)),
  )

  function offsetAt(instant: number): number {
    const day = Math.floor(instant / DAY_MS)
    const [before, after] = [offsetOn(day), offsetOn(day + 1)]
    return before === after || instant < changeOn(day) ? before : after
  }

  const toWall = (instant: number) => instant + offsetAt(instant)

  /**
   * The first instant when clocks show this time. If they skip it, the first instant when they show
   * a later one.
   */
  function fromWall(wall: number): number {
    const day = Math.floor(wall / DAY_MS)
    const offset = offsetOn(day - 1)
    const unchanged = wall - offset
    // The instant that we are looking for is on the UTC day `day`, the day before, or the day
    // after. If clocks don't change on these three days, or only after that instant, the offset at
    // the beginning of the three days still applies.
    if (offset === offsetOn(day + 2) || offset === offsetAt(unchanged)) return unchanged
    return firstBetween(wall - DAY_MS, wall + DAY_MS, (instant) => toWall(instant) >= wall)
  }

  return { toWall, fromWall }
}

function remember(calculate: (day: number) => number) {
  const known = new Map<number, number>()
  return (day: number): number => {
    const found = known.get(day)
    if (found !== undefined) return found
    const calculated = calculate(day)
    known.set(day, calculated)
    return calculated
  }
}

/**
 * Binary search: the first time after `low`, up to `high`, when the condition is true. It must stay
 * true from then on.
 */
function firstBetween(low: number, high: number, holds: (time: number) => boolean): number {
  if (high - low <= 1) return high
  const middle = Math.floor((low + high) / 2)
  return holds(middle) ? firstBetween(low, middle, holds) : firstBetween(middle, high, holds)
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
