import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { checkDisk } from './disk.ts'

const onDisk = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw'
const inContainer = '700 600 0:90 / / ro,relatime - overlay overlay ro'
const volume = (root: string, path: string) =>
  `${inContainer}\n701 700 254:0 ${root} ${path} rw,relatime - ext4 /dev/vda rw`

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

const backupDir = () => join(folder.path, 'backups')
const check = (mountInfo = onDisk, DATA_DIR = folder.path) =>
  checkDisk({ DATA_DIR, BACKUP_DIR: backupDir() } as never, mountInfo)

test('a container needs a named volume', () => {
  const states = [
    volume('/docker/volumes/plumbline_data/_data', folder.path),
    inContainer,
    volume(`/docker/volumes/${'0a'.repeat(32)}/_data`, folder.path),
  ].map((mountInfo) => check(mountInfo)[0])

  expect(states).toMatchObject([
    { state: 'ok' },
    { state: 'problem', seen: expect.stringContaining('(container)') },
    { state: 'problem', seen: expect.stringContaining('(unnamed volume)') },
  ])
})
