import { expect, test } from 'vitest'
import { officeTime, officeZone } from './office-time.ts'

test('office time takes daylight saving time into account', () => {
  expect([officeTime('2026-03-02T15:00:05Z'), officeZone('2026-03-02T15:00:05Z')]).toEqual([
    '2026-03-02 10:00:05',
    'EST',
  ])
  expect([officeTime('2026-07-02T15:00:05Z'), officeZone('2026-07-02T15:00:05Z')]).toEqual([
    '2026-07-02 11:00:05',
    'EDT',
  ])
})
