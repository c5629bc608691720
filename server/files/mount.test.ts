import { expect, test } from 'vitest'
import { findTemporaryStorage } from './mount.ts'

const mountInfo = [
  '1 0 0:1 / / rw - overlay overlay rw',
  '2 1 0:2 / /data/cache\\040files rw - ramfs ramfs rw',
  '3 1 0:3 / /data rw - ext4 /dev/sda rw',
  '4 1 0:4 / /run rw - ext4 /dev/sda rw',
  '5 1 0:5 / /run rw - tmpfs tmpfs rw',
  `6 1 0:6 /docker/volumes/${'a'.repeat(64)}/_data /backups rw - ext4 /dev/sda rw`,
].join('\n')

test.each([
  ['/data', undefined],
  ['/data/leads', undefined],
  ['/data/cache files/leads', 'memory'],
  ['/run/leads', 'memory'],
  ['/database', 'container'],
  ['/', 'container'],
  ['/backups', 'unnamed volume'],
])('in a container, what is in %s is lost with: %s', (path, storage) => {
  expect(findTemporaryStorage(mountInfo, path)).toBe(storage)
})

test('outside of a container, the root file system is permanent', () => {
  expect(findTemporaryStorage('1 0 8:1 / / rw - ext4 /dev/sda rw', '/data')).toBeUndefined()
})
