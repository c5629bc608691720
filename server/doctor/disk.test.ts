import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseEnv } from '../env.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import type { Finding } from './check.ts'
import { checkDisk } from './disk.ts'

// Root can write anywhere, so the test runs the command as another user, who may not be allowed to read this checkout.
const isRoot = process.getuid?.() === 0
const isPrivateCheckout =
  isRoot && spawnSync(process.execPath, ['server/cli/doctor.ts', '--help'], { uid: 65_534 }).status !== 0

test.skipIf(isPrivateCheckout)(
  'an unwritable folder is reported, the other checks still run, and the command in the advice helps',
  async () => {
    using folder = newDataDir()
    mkdirSync(join(folder.path, 'backups'), { mode: 0o700 })
    chmodSync(folder.path, isRoot ? 0o755 : 0o555)
    const run = async (BACKUP_DIR = join(folder.path, 'backups')) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/doctor.ts', '--json'], {
        env: { DATA_DIR: folder.path, BACKUP_DIR },
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
    const seen = (await run('/nowhere/backups')).map((finding) => finding.seen)
    expect(seen).toContain('/nowhere/backups cannot be created.')
  },
)

test('databases that a restore has replaced are mentioned, because leads may be only there', () => {
  using folder = newDataDir()
  const name = 'leads-before-restore-2026-03-02T15-00-00-000Z.db'
  writeFileSync(join(folder.path, name), '')
  const found = checkDisk(parseEnv({ DATA_DIR: folder.path }), '')
  expect(found.at(-1)).toMatchObject({ state: 'warning', seen: expect.stringContaining(name) })
})

test('free space for less than two copies of the database is a warning', () => {
  using folder = newDataDir()
  const { bavail, bsize } = statfsSync(folder.path)
  const database = join(folder.path, 'leads.db')
  const spaceBeside = (share: number) => {
    // Takes no space: the file is a hole.
    writeFileSync(database, '')
    truncateSync(database, Math.round(share * bavail * bsize))
    return checkDisk(parseEnv({ DATA_DIR: folder.path }), '').find(({ seen }) => seen.includes('MB is free'))
  }
  expect([spaceBeside(0.4), spaceBeside(0.6)]).toMatchObject([{ state: 'ok' }, { state: 'warning' }])
})
