import { expect, test, vi } from 'vitest'
import { ago, moment } from './times.ts'
import { followUpTimes } from './usual-times.ts'

const now = Date.parse('2026-03-04T15:00Z')

// The names of days and months are those of any kind of English.
test.each([
  ['2026-03-04T11:59:30', 'just now', /11:59.*today$/],
  ['2026-03-04T11:48', '12 min ago', /11:48.*today$/],
  ['2026-03-04T08:10', '3 h ago', /0?8:10.*today$/],
  ['2026-03-03T12:00', '1 day ago', /12:00.*yesterday$/],
  ['2026-03-01T12:00', '3 days ago', /^Sunday/],
  ['2026-02-26T11:00', '6 days ago', /Feb.*11:00/],
  ['2026-02-03T12:00', /^on .*Feb(?!.*2026)/, /Feb/],
  ['2025-03-03T12:00', /^on .*2025$/, /Mar.*2025.*12:00/],
  ['2026-03-05T12:00', 'just now', /12:00.*tomorrow$/],
  ['2026-03-20T12:00', 'just now', /^(?!.*2026).*Mar.*12:00/],
  ['2027-03-03T12:00', 'just now', /Mar.*2027.*12:00/],
])('of %s, a page says "%s" and "%s"', (at, words, time) => {
  const noon = new Date(2026, 2, 4, 12).getTime()

  expect(ago(at, noon)).toMatch(words)
  expect(moment(at, noon)).toMatch(time)
})

test.each([
  ['Pacific/Auckland', '2026-03-05T04:00'],
  ['Pacific/Honolulu', '2026-03-04T05:00'],
])(
  'on a device in %s, days and workdays are those of the office, and inputs have local time',
  async (zone, local) => {
    const atOffice = followUpTimes(now)
    vi.stubEnv('TZ', zone)
    vi.resetModules()
    const times = await import('./times.ts')
    const usual = await import('./usual-times.ts')
    expect(times.inputTime(now)).toBe(local)
    expect(times.followUpTime('2026-03-05', now)).toContain('5')
    expect(usual.followUpTimes(now)).toEqual(atOffice)
    vi.unstubAllEnvs()
  },
)

test.each([
  ['2026-03-08T04:30Z', '2026-03-08T12:00Z', /tomorrow$/],
  ['2026-03-08T04:30Z', '2026-03-09T12:00Z', /^Monday/],
  ['2026-11-01T04:30Z', '2026-11-02T13:00Z', /tomorrow$/],
])('when the clocks change, days are those of the calendar: at %s, %s is %s', async (nowIs, at, words) => {
  vi.stubEnv('TZ', 'America/New_York')
  vi.resetModules()
  const times = await import('./times.ts')
  expect(times.moment(at, Date.parse(nowIs))).toMatch(words)
  vi.unstubAllEnvs()
})
