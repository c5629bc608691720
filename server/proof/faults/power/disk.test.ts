import { expect, test } from 'vitest'
import { createDisk } from './disk.ts'

const write = (text: string, offset = 0) => ({
  type: 'write' as const,
  file: 'a',
  offset,
  bytes: Buffer.from(text),
})
const sync = { type: 'sync' as const, file: 'a' }
const noSectorSurvives = () => false
const everySectorSurvives = () => true

test('synced bytes survive a power failure; unsynced bytes may or may not', () => {
  const disk = createDisk()
  for (const event of [write('old'), sync, write('new')]) disk.apply(event)

  expect(disk.afterPowerCut(noSectorSurvives).get('a')?.toString()).toBe('old')
  expect(disk.afterPowerCut(everySectorSurvives).get('a')?.toString()).toBe('new')
})

test('a file that was never synced does not survive a power failure, and a deleted file may come back', () => {
  const disk = createDisk()
  disk.apply(write('never synced'))
  expect(disk.afterPowerCut(everySectorSurvives).has('a')).toBe(false)

  for (const event of [sync, { type: 'unlink' as const, file: 'a' }]) disk.apply(event)
  expect(disk.afterPowerCut(noSectorSurvives).has('a')).toBe(true)
  expect(disk.afterPowerCut(everySectorSurvives).has('a')).toBe(false)
})

test('a long write can survive in part, in sectors of 512 bytes', () => {
  const disk = createDisk()
  for (const event of [write('-'.repeat(1024)), sync, write('+'.repeat(1024))]) disk.apply(event)
  const survivesBySector = [true, false]

  const after = disk
    .afterPowerCut(() => survivesBySector.shift() ?? false)
    .get('a')
    ?.toString()

  expect(after).toBe('+'.repeat(512) + '-'.repeat(512))
})
