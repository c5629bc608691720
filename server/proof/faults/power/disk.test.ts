import { expect, test } from 'vitest'
import { createDisk } from './disk.ts'

const write = (text: string, at = 0) => ({ type: 'write' as const, file: 'a', at, bytes: Buffer.from(text) })
const sync = { type: 'sync' as const, file: 'a' }
const nothing = () => false
const everything = () => true

test('synced bytes survive, others do not', () => {
  const disk = createDisk()
  for (const event of [write('old'), sync, write('new')]) disk.apply(event)

  expect(disk.afterPowerCut(nothing).get('a')?.toString()).toBe('old')
  expect(disk.afterPowerCut(everything).get('a')?.toString()).toBe('new')
})

test('a file that was never synced is gone, and a deleted file is back', () => {
  const disk = createDisk()
  disk.apply(write('never synced'))
  expect(disk.afterPowerCut(everything).has('a')).toBe(false)

  for (const event of [sync, { type: 'unlink' as const, file: 'a' }]) disk.apply(event)
  expect(disk.afterPowerCut(nothing).has('a')).toBe(true)
  expect(disk.afterPowerCut(everything).has('a')).toBe(false)
})

test('a long write can survive in part, in sectors of 512 bytes', () => {
  const disk = createDisk()
  for (const event of [write('-'.repeat(1024)), sync, write('+'.repeat(1024))]) disk.apply(event)
  const turns = [true, false]

  const after = disk
    .afterPowerCut(() => turns.shift() ?? false)
    .get('a')
    ?.toString()

  expect(after).toBe('+'.repeat(512) + '-'.repeat(512))
})
