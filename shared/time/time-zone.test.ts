import { expect, test } from 'vitest'
import { createTimeZone, isDay, startOfDay, weekDayOf } from './time-zone.ts'

const minutes = (time: number) => new Date(time).toISOString().replace(':00.000Z', '')

test.each([
  ['America/New_York', '2026-03-08T07:00', '2026-03-08T03:00'],
  ['America/New_York', '2026-11-01T05:59', '2026-11-01T01:59'],
  ['America/New_York', '2026-11-01T06:00', '2026-11-01T01:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00', '2026-04-05T01:30'],
  ['Pacific/Kiritimati', '2026-01-01T12:00', '2026-01-02T02:00'],
  ['UTC', '0050-01-01T00:00', '0050-01-01T00:00'],
])('in %s, at %s UTC, clocks show %s', (name, instant, wall) => {
  expect(minutes(createTimeZone(name).toWall(Date.parse(`${instant}Z`)))).toBe(wall)
})

test.each([
  ['America/New_York', '2026-03-08T01:59', '2026-03-08T06:59'],
  ['America/New_York, which skips that time,', '2026-03-08T02:30', '2026-03-08T07:30'],
  ['America/New_York, where that time occurs twice,', '2026-11-01T01:30', '2026-11-01T05:30'],
  ['America/New_York', '2026-11-01T02:00', '2026-11-01T07:00'],
  ['America/Santiago, where the day begins at 1:00,', '2026-09-06T00:00', '2026-09-06T04:00'],
  ['Australia/Lord_Howe, which skips half an hour,', '2026-10-04T02:15', '2026-10-03T15:45'],
  ['America/Nuuk, which skips an hour in the evening,', '2021-03-27T23:00', '2021-03-28T01:00'],
  ['Pacific/Apia, after it skipped a day,', '2011-12-31T00:00', '2011-12-30T10:00'],
])('in %s, %s is %s UTC', (name, wall, instant) => {
  const zone = createTimeZone(name.split(',')[0] as string)

  expect(minutes(zone.fromWall(Date.parse(`${wall}Z`)))).toBe(instant)
})

test('an invalid date throws an error instead of searching forever', () => {
  const { toWall, fromWall } = createTimeZone('UTC')

  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1]) {
    expect(() => toWall(time)).toThrow(RangeError)
    expect(() => fromWall(time)).toThrow(RangeError)
  }
})

test.each([
  ['1969-12-31T23:59', '1969-12-31T00:00', 2],
  ['1970-01-01T00:00', '1970-01-01T00:00', 3],
  ['2026-03-08T23:59', '2026-03-08T00:00', 6],
])('the day of %s begins at %s, and its day of the week is %i (0 is Monday)', (time, start, weekDay) => {
  const wall = Date.parse(`${time}Z`)

  expect([minutes(startOfDay(wall)), weekDayOf(wall)]).toEqual([start, weekDay])
})

test('isDay accepts only real calendar days', () => {
  for (const day of ['2026-12-25', '2028-02-29', '0050-01-01']) expect(isDay(day)).toBe(true)
  for (const day of ['2026-02-29', '2026-13-01', '2026-1-1', '12/25/2026', '', null, 20261225])
    expect(isDay(day)).toBe(false)
})
