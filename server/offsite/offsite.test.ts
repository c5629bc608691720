import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { readOffsiteRecord } from '../backup/newest-backup.ts'
import { backupName } from '../files/backup-list.ts'
import { missing } from '../proof/testing/needs.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { waitUntil } from '../proof/testing/wait-until.ts'

// Each restic call derives a key from the password, which restic makes slow so that passwords are
// hard to guess.
vi.setConfig({ testTimeout: 60_000 })

const HOUR_MS = 60 * 60 * 1000
const script = join(import.meta.dirname, 'offsite.sh')
const startedAt = Date.now()
const backupFrom = (hours: number) => backupName(new Date(startedAt - hours * HOUR_MS))

describe.skipIf(missing(['restic']).length > 0)('with restic', () => {
  let folder: ReturnType<typeof newDataDir>
  let sender: ChildProcess | undefined
  let output: string[]
  beforeEach(() => {
    folder = newDataDir()
    output = []
    for (const name of ['backups', 'offsite', 'bin']) mkdirSync(join(folder.path, name))
    // Shortens each one-minute wait to 0.2 s.
    stubCommand('sleep', 'exec /bin/sleep 0.2')
  })
  afterEach(async () => {
    await stop()
    folder[Symbol.dispose]()
  })

  const at = (...parts: string[]) => join(folder.path, ...parts)
  function stubCommand(name: string, command: string) {
    writeFileSync(at('bin', name), `#!/bin/sh\n${command}\n`)
    chmodSync(at('bin', name), 0o755)
  }
  const real = () => execFileSync('which', ['restic'], { encoding: 'utf8' }).trim()
  const env = () => ({
    PATH: `${at('bin')}:${process.env.PATH}`,
    BACKUP_DIR: at('backups'),
    OFFSITE_DIR: at('offsite'),
    RESTIC_REPOSITORY: at('repository'),
    RESTIC_PASSWORD: 'a long password',
    RESTIC_CACHE_DIR: at('cache'),
  })
  const addBackup = (name: string, content: string | Buffer = name) =>
    writeFileSync(at('backups', name), content)
  function start(changes: Record<string, string> = {}) {
    sender = spawn(script, { env: { ...env(), ...changes } })
    for (const stream of [sender.stdout, sender.stderr])
      stream?.on('data', (chunk) => output.push(String(chunk)))
  }
  async function stop() {
    if (!sender || sender.exitCode !== null) return sender?.exitCode
    const exited = once(sender, 'exit')
    sender.kill('SIGTERM')
    const [code] = await exited
    sender = undefined
    return code
  }
  const call = (...args: string[]) => execFileSync(script, args, { env: env(), encoding: 'utf8' })
  const snapshots = (): { id: string; paths: string[] }[] =>
    JSON.parse(call('restic', 'snapshots', '--no-lock', '--json'))
  const isSent = (name: string) => () => readOffsiteRecord(folder.path)?.name === name
  const hasLogged = (text: string) => () => output.join('').includes(text)

  test.each([
    [
      'an encoded password and a refused connection',
      'rest:http://user:hunter2%40@127.0.0.1:1/x',
      'could not send',
    ],
    ['a password with a slash', 'rest:http://user:hunter2/x@127.0.0.1:1/x', 'write @ # /'],
    ['a password with digits and a slash', 'rest:http://user:12/hunter2@127.0.0.1:1/x', 'write @ # /'],
    ['a wrong host', 'rest:http://user:hunter2@[bad/x', 'write @ # /'],
  ])(
    'the log does not show the password of a REST server with %s',
    async (_name, RESTIC_REPOSITORY, logged) => {
      addBackup(backupFrom(1))

      start({ RESTIC_REPOSITORY })
      await waitUntil('the failure is logged', hasLogged(logged))

      await stop()
      expect(output.join('')).not.toContain('hunter2')
    },
  )

  test('a failed upload is logged, not recorded, and retried; a missing repository is created again only once the record is deleted', async () => {
    start()
    await waitUntil('there is a record', () => readOffsiteRecord(folder.path)?.name === null)
    addBackup(backupFrom(2))
    await waitUntil('the backup is sent', isSent(backupFrom(2)))

    stubCommand('restic', `[ "$1" != backup ] && exec ${real()} "$@"`)
    addBackup(backupFrom(1))
    await waitUntil('the upload fails', hasLogged('could not send'))
    rmSync(at('repository'), { recursive: true })
    rmSync(at('bin', 'restic'))
    output.length = 0
    await waitUntil('there is no repository', hasLogged('could not send'))
    expect([existsSync(at('repository')), isSent(backupFrom(2))()]).toEqual([false, true])

    call('rm', at('offsite', 'offsite.json'))
    await waitUntil('the backup is sent', isSent(backupFrom(1)))
  })

  test('an interrupted upload leaves no lock or snapshot, and the next start uploads the backup', async () => {
    const name = backupFrom(1)
    addBackup(name, randomBytes(40 * 1024 * 1024))
    stubCommand(
      'restic',
      `case $1 in backup) shift; exec ${real()} backup --limit-upload 100 "$@";; esac; exec ${real()} "$@"`,
    )
    call('restic', 'init')
    start()
    const data = () => readdirSync(at('repository', 'data'), { recursive: true, withFileTypes: true })
    await waitUntil('the upload starts', () => data().some((entry) => entry.isFile()))

    expect(await stop()).toBe(0)
    expect(readdirSync(at('repository', 'locks'))).toEqual([])
    expect(snapshots()).toEqual([])

    rmSync(at('bin', 'restic'))
    start()
    await waitUntil('the backup is sent', isSent(name))
  })

  test('backups are removed after 90 days, but seven are always kept', async () => {
    const upload = (days: number) => {
      const name = backupFrom(24 * days)
      addBackup(name)
      const time = new Date(startedAt - 24 * HOUR_MS * days).toISOString().slice(0, 19).replace('T', ' ')
      call('restic', 'backup', '-q', '--host', 'plumbline', '--time', time, at('backups', name))
    }
    // Counts files: while snapshots are being removed, restic would look for them for a minute.
    const count = () => readdirSync(at('repository', 'snapshots')).length
    call('restic', 'init')
    for (let days = BACKUP_DAYS + 9; days > BACKUP_DAYS; days--) upload(days)
    addBackup(backupFrom(1))

    start()
    await waitUntil('the backup is sent', isSent(backupFrom(1)))
    await waitUntil('only seven backups are left', () => count() === 7)
    await stop()
    for (let days = BACKUP_DAYS - 1; days > BACKUP_DAYS - 9; days--) upload(days)
    addBackup(backupFrom(0.5))
    start()
    await waitUntil('only the backups of 90 days are left', () => count() === 10)

    expect(snapshots().at(-1)?.paths).toEqual([at('backups', backupFrom(0.5))])
  })

  test('when a person has been erased, the record is uploaded at once, and downloaded with any earlier backup', async () => {
    addBackup(backupFrom(1), 'with the person')
    start()
    await waitUntil('the backup is sent', isSent(backupFrom(1)))
    addBackup('erasures.json', '[]')
    execFileSync('touch', ['-d', '1 minute', at('backups', 'erasures.json')])
    await waitUntil('the record is sent', () => readdirSync(at('repository', 'snapshots')).length === 2)
    await stop()
    const [first] = snapshots()
    for (const name of ['backups', 'offsite', 'cache']) rmSync(at(name), { recursive: true })
    mkdirSync(at('offsite'))

    call('restore', first?.id ?? '')

    expect(readFileSync(at('offsite', 'newest.db'), 'utf8')).toBe('with the person')
    expect(readFileSync(at('offsite', 'erasures.json'), 'utf8')).toBe('[]')
  })

  test('the record of a person who is erased during an upload is uploaded, too', async () => {
    const erase = '[ "$1" != backup ] || [ -e erasures.json ] || touch erasures.json'
    stubCommand('restic', `${real()} "$@" && { ${erase}; }`)
    addBackup(backupFrom(1))

    start()
    await waitUntil('the backup is sent', isSent(backupFrom(1)))

    await waitUntil('the record is sent', () => readdirSync(at('repository', 'snapshots')).length === 2)
  })
})
