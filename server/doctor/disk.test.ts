import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import type { Finding } from './check.ts'
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

// Root can write anywhere, so two tests run the command as another user, who may not be allowed to read this checkout.
const isRoot = process.getuid?.() === 0
const isPrivateCheckout =
  isRoot && spawnSync(process.execPath, ['server/cli/doctor.ts', '--help'], { uid: 65_534 }).status !== 0

test.skipIf(isPrivateCheckout)(
  'an unwritable folder is reported, the other checks still run, and the command in the advice helps',
  async () => {
    mkdirSync(backupDir(), { mode: 0o700 })
    chmodSync(folder.path, isRoot ? 0o755 : 0o555)
    const run = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/doctor.ts', '--json'], {
        env: { DATA_DIR: folder.path },
        ...(isRoot && { uid: 65_534 }),
      }).catch((error: { stdout: string }) => error)
      return JSON.parse(stdout) as Finding[]
    }
    const before = await run()
    const denied = before.find(({ check }) => check === 'disk')
    const [, command = ''] = /: sudo (.*)$/.exec(denied?.advice ?? '') ?? []

    expect(denied).toMatchObject({ state: 'problem', seen: expect.stringContaining('cannot be written') })
    expect(command).toContain(folder.path)
    expect(before.at(-1)).toMatchObject({ check: 'server' })
    if (!isRoot) return
    execFileSync('sh', ['-c', command])
    expect(await run()).not.toContainEqual(denied)
  },
)

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
