import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { listAccessibleFolders, listExposedFiles, restrictExposedFiles } from './private-files.ts'

const NOBODY = 65_534
// How long one test keeps swapping a file with a link. If links were followed, it would fail within a third of that time.
const RACE_MS = 2_000
const isRoot = process.getuid?.() === 0

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

const at = (...names: string[]) => join(folder.path, ...names)
const folders = (backupDir = at('backups')) => ({ dataDir: folder.path, backupDir })
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

function createFile(path: string, mode: number) {
  writeFileSync(path, '')
  chmodSync(path, mode)
}
function createFolder(path: string, mode: number) {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
}

test('files that other users can read are listed, and access to them is restricted', () => {
  for (const name of ['', 'mail', 'backups']) createFolder(at(name), 0o755)
  for (const name of ['leads.db', 'server.lock', 'backups/leads-2026-03-02T08-00-00Z.db'])
    createFile(at(name), 0o664)
  expect(listExposedFiles(folders())).toHaveLength(6)

  restrictExposedFiles(folders())

  expect(listExposedFiles(folders())).toEqual([])
  expect([modeOf(at('mail')), modeOf(at('leads.db'))]).toEqual(['700', '600'])
})

test('in a folder with other contents, only our files are restricted', () => {
  createFolder(folder.path, 0o755)
  createFolder(at('website'), 0o755)
  createFile(at('leads.db'), 0o644)

  restrictExposedFiles(folders())

  expect([folder.path, at('website'), at('leads.db')].map(modeOf)).toEqual(['755', '755', '600'])
})

test('in a backup folder outside the data directory, only backups are restricted', () => {
  using other = newDataDir()
  createFolder(other.path, 0o755)
  createFile(join(other.path, 'notes.txt'), 0o644)
  createFile(join(other.path, 'leads-2026-03-02T08-00-00Z.db'), 0o644)

  restrictExposedFiles(folders(other.path))

  const modes = ['', 'notes.txt', 'leads-2026-03-02T08-00-00Z.db'].map((name) =>
    modeOf(join(other.path, name)),
  )
  expect(modes).toEqual(['755', '644', '600'])
})

test.each(['mail', 'backups'])('in a linked %s folder, only our files are restricted', (name) => {
  using other = newDataDir()
  const theirs = ['notes.txt', 'linked.eml', 'leads-linked.db']
  const ours = name === 'mail' ? ['0a1.eml', '.0a1.eml.part'] : ['leads-2026-03-02T08-00-00Z.db']
  createFolder(other.path, 0o755)
  for (const file of ['notes.txt', ...ours]) createFile(join(other.path, file), 0o644)
  createFile(at('theirs'), 0o644)
  for (const link of ['linked.eml', 'leads-linked.db']) symlinkSync(at('theirs'), join(other.path, link))
  symlinkSync(other.path, at(name))

  restrictExposedFiles(folders())

  expect(theirs.map((file) => modeOf(join(other.path, file)))).toEqual(['644', '644', '644'])
  expect(ours.map((file) => modeOf(join(other.path, file)))).toEqual(ours.map(() => '600'))
  expect(modeOf(other.path)).toBe('755')
})

test('folders that other users can enter are listed, including the targets of links', () => {
  using other = newDataDir()
  createFolder(folder.path, 0o700)
  createFolder(other.path, 0o711)
  createFolder(at('backups'), 0o700)
  expect(listAccessibleFolders(folder.path)).toEqual([])

  symlinkSync(other.path, at('mail'))
  expect(listAccessibleFolders(folder.path)).toEqual([realpathSync(other.path)])
  createFolder(folder.path, 0o755)
  expect(listAccessibleFolders(folder.path)).toEqual(
    [folder.path, other.path].map((path) => realpathSync(path)),
  )
})

test('if a link replaces our file while we restrict access to it, the link is not followed', async () => {
  createFile(at('victim'), 0o644)
  const swap = `const { chmodSync, renameSync, symlinkSync, writeFileSync } = require('node:fs')
    const [victim, name] = process.argv.slice(1)
    for (;;) {
      writeFileSync(name + '.new', '')
      chmodSync(name + '.new', 0o644)
      renameSync(name + '.new', name)
      symlinkSync(victim, name + '.new')
      renameSync(name + '.new', name)
    }`
  const swapper = spawn(process.execPath, ['-e', swap, at('victim'), at('server.lock')])
  await vi.waitUntil(() => existsSync(at('server.lock')))

  const end = Date.now() + RACE_MS
  while (Date.now() < end && modeOf(at('victim')) === '644') restrictExposedFiles(folders())

  swapper.kill()
  await once(swapper, 'exit')
  expect(modeOf(at('victim'))).toBe('644')
})

test('a link is not followed, and a missing folder is not an error', () => {
  using other = newDataDir()
  createFile(join(other.path, 'theirs'), 0o644)
  symlinkSync(join(other.path, 'theirs'), at('leads.db'))

  restrictExposedFiles(folders())
  restrictExposedFiles({ dataDir: at('missing'), backupDir: at('missing', 'backups') })

  expect(modeOf(join(other.path, 'theirs'))).toBe('644')
})

test.skipIf(!isRoot)('files of other users are not changed', () => {
  createFile(at('leads.db'), 0o644)
  chownSync(at('leads.db'), NOBODY, NOBODY)

  restrictExposedFiles(folders())

  expect(modeOf(at('leads.db'))).toBe('644')
  expect(listExposedFiles(folders())).toEqual([at('leads.db')])
})
