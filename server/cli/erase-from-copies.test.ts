import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { leadsFrom } from '../leads/erase-leads.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { missing, NOBODY } from '../proof/testing/needs.ts'
import { isOnPostgres, testOnce } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { eraseFromCopies } from './erase-from-copies.ts'
import { filesContaining } from './files-containing.ts'

const address = 'eve@example.com'

let site: Awaited<ReturnType<typeof buildTestApp>>
let folder: ReturnType<typeof newDataDir>
beforeEach(async () => {
  site = await buildTestApp()
  folder = newDataDir()
})
afterEach(async () => {
  folder[Symbol.dispose]()
  await site[Symbol.asyncDispose]()
})

const at = (name: string) => join(site.dataDir, name)
const submit = (email: string, message = email) =>
  site.submitLead(sampleRequest({ email, message }), { client: 'c', idempotencyKey: null })
const foldersOf = (dataDir: string) => ({ dataDir, backupDir: join(dataDir, 'backups') })
const erase = (keptIds: string[] = [], ids: string[] = []) =>
  eraseFromCopies(foldersOf(site.dataDir), { address, ids, keptIds: async () => keptIds })
const contents = (file: string) => {
  const sqlite = new Sqlite(file)
  const all = sqlite.prepare('select message from leads order by id').pluck().all()
  const integrity = sqlite.pragma('integrity_check', { simple: true })
  sqlite.close()
  return [integrity, all]
}

test('erase finds a lead in a backup from before an owner corrected its address', async () => {
  const { reference } = await submit('eve@exmaple.com')
  await submit('ada@example.com')
  const { path } = await takeBackup(site.env, new Date())
  const { id } = await site.db
    .selectFrom('leads')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()

  expect((await erase([], [id])).erasedFrom).toHaveLength(1)
  expect(contents(path)).toEqual(['ok', ['ada@example.com']])
})

test('erase replaces a backup and never rewrites it in place', async () => {
  await submit(address)
  await submit('ada@example.com')
  const { path } = await takeBackup(site.env, new Date())
  const before = readFileSync(path)
  const file = openSync(path, 'r')

  expect(await erase()).toEqual({ erasedFrom: [path.slice(site.dataDir.length + 1)], unusable: [] })

  const kept = Buffer.alloc(fstatSync(file).size)
  readSync(file, kept, 0, kept.length, 0)
  closeSync(file)
  expect(kept.equals(before)).toBe(true)
  expect(contents(path)).toEqual(['ok', ['ada@example.com']])
  expect(readdirSync(join(site.dataDir, 'backups'))).toHaveLength(1)
})

test.skipIf(isOnPostgres)(
  'a backup from which a person was erased has none of their words, and still has the words of others',
  async () => {
    for (let count = 0; count < 300; count++)
      await submit('ada@example.com', `request ${count} of zzz${count * 7919}`)
    await submit(address, 'Xylophone please')
    const { path } = await takeBackup(site.env, new Date())
    const isInBackup = (text: string) => readFileSync(path, 'latin1').toLowerCase().includes(text)
    expect(isInBackup('xylophone')).toBe(true)

    await erase()

    expect([isInBackup('xylophone'), isInBackup('zzz7919')]).toEqual([false, true])
  },
)

testOnce('erase deletes the unfinished file of an interrupted erase', async () => {
  await submit(address)
  const { path } = await takeBackup(site.env, new Date())
  cpSync(path, `${path}.erasing.part`)

  expect((await erase()).unusable).toEqual([])

  expect(readdirSync(join(site.dataDir, 'backups'))).toHaveLength(1)
})

test('leads that erase keeps in the database also stay in the backups', async () => {
  await submit(address, 'old')
  const old = await leadsFrom(site.db, address)
  await submit(address, 'newer')
  const { path } = await takeBackup(site.env, new Date())
  const newer = (await leadsFrom(site.db, address)).filter(({ id }) => id !== old[0]?.id)

  await erase(newer.map(({ id }) => id))

  expect(contents(path)).toEqual(['ok', ['newer']])
})

test.skipIf(isOnPostgres)(
  "a copied database with a WAL becomes one file without the person's data",
  async () => {
    await submit('ada@example.com')
    await submit(address)
    for (const suffix of ['', '-wal'])
      cpSync(at(`leads.db${suffix}`), join(folder.path, `killed.db${suffix}`))

    const erased = await eraseFromCopies(foldersOf(folder.path), {
      address,
      ids: [],
      keptIds: async () => [],
    })

    expect(erased).toEqual({ erasedFrom: ['killed.db'], unusable: [] })
    expect(readdirSync(folder.path)).toEqual(['killed.db'])
    expect(await filesContaining(foldersOf(folder.path), address)).toEqual({ matching: [], unread: [] })
    expect(contents(join(folder.path, 'killed.db'))).toEqual(['ok', ['ada@example.com']])
  },
)

test.skipIf(isOnPostgres)('erase skips a hard link to the live database', async () => {
  await submit(address)
  linkSync(at('leads.db'), at('other.db'))

  expect(await erase()).toEqual({ erasedFrom: [], unusable: [] })
})

testOnce('erase processes a backup with several symbolic links only once', async () => {
  await submit(address)
  const { path } = await takeBackup(site.env, new Date())
  renameSync(path, join(folder.path, 'moved.db'))
  for (const name of ['one.db', 'two.db']) symlinkSync(join(folder.path, 'moved.db'), at(name))
  symlinkSync(at('nowhere'), at('broken'))

  expect(await erase()).toEqual({ erasedFrom: ['one.db'], unusable: [] })

  expect(contents(join(folder.path, 'moved.db'))).toEqual(['ok', []])
  expect(readdirSync(folder.path)).toEqual(['moved.db'])
  expect(lstatSync(at('one.db')).isSymbolicLink()).toBe(true)
})

testOnce('a folder among the backups is skipped', async () => {
  await submit(address)
  const { path } = await takeBackup({ ...site.env, BACKUP_DIR: folder.path }, new Date())
  mkdirSync(join(folder.path, 'leads-archive'))

  const folders = { dataDir: site.dataDir, backupDir: folder.path }

  expect(await eraseFromCopies(folders, { address, ids: [], keptIds: async () => [] })).toEqual({
    erasedFrom: [path],
    unusable: [],
  })
})

const cannotScan = process.getuid?.() === 0 ? missing(['otherUser']).length > 0 : process.platform === 'win32'

test.skipIf(isOnPostgres || cannotScan)(
  'the scan for an address reports unreadable files and continues',
  async () => {
    for (const name of ['lost+found', 'closed']) mkdirSync(join(folder.path, name), { mode: 0 })
    writeFileSync(join(folder.path, 'secret'), address, { mode: 0 })
    writeFileSync(join(folder.path, 'note'), address)
    symlinkSync('loop', join(folder.path, 'loop'))
    chmodSync(folder.path, 0o755)
    // Root can read everything, so the scan runs as another user.
    const nobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const scan = promisify(execFile)(process.execPath, ['server/cli/scan-files.ts'], nobody)
    scan.child.stdin?.end(JSON.stringify({ dataDir: folder.path, text: address }))

    const { files, unread } = JSON.parse((await scan).stdout)

    expect(files).toMatchObject([{ name: 'note', containsText: true }])
    expect(unread).toEqual(['closed', 'loop', 'secret'])
  },
)

testOnce('erase reports a locked backup and does not change it', async () => {
  await submit(address)
  const { path } = await takeBackup(site.env, new Date())
  const other = new Sqlite(path)
  other.exec('begin immediate')

  expect(await erase()).toMatchObject({ erasedFrom: [], unusable: [expect.stringContaining('leads-')] })

  other.close()
  expect(contents(path)).toEqual(['ok', [address]])
})

// In /proc/locks, the fifth column is the process id, and the sixth is the device and inode.
const locksOf = (file: string) => {
  const { ino } = statSync(file)
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `)).length
}

test.skipIf(isOnPostgres || process.platform !== 'linux')(
  "scanning every file does not release this process's locks on the database",
  async () => {
    await submit(address)
    const before = ['leads.db', 'leads.db-shm'].map((name) => locksOf(at(name)))

    expect((await filesContaining(foldersOf(site.dataDir), address)).matching).toContain('leads.db-wal')

    expect(before.every((locks) => locks > 0)).toBe(true)
    expect(['leads.db', 'leads.db-shm'].map((name) => locksOf(at(name)))).toEqual(before)
  },
)
