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
// Without the protection, the race is lost in a third of this time.
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

function make(path: string, mode: number) {
  writeFileSync(path, '')
  chmodSync(path, mode)
}
function makeFolder(path: string, mode: number) {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
}

test('files that others can read are found and closed', () => {
  for (const name of ['', 'mail', 'backups']) makeFolder(at(name), 0o755)
  for (const name of ['leads.db', 'server.lock', 'backups/leads-2026-03-02T08-00-00Z.db'])
    make(at(name), 0o664)
  expect(listExposedFiles(folders())).toHaveLength(6)

  restrictExposedFiles(folders())

  expect(listExposedFiles(folders())).toEqual([])
  expect([modeOf(at('mail')), modeOf(at('leads.db'))]).toEqual(['700', '600'])
})

test('a folder with other contents stays open, but our files in it are closed', () => {
  makeFolder(folder.path, 0o755)
  makeFolder(at('website'), 0o755)
  make(at('leads.db'), 0o644)

  restrictExposedFiles(folders())

  expect([folder.path, at('website'), at('leads.db')].map(modeOf)).toEqual(['755', '755', '600'])
})

test('in a backup folder elsewhere, only backups are closed', () => {
  using other = newDataDir()
  makeFolder(other.path, 0o755)
  make(join(other.path, 'notes.txt'), 0o644)
  make(join(other.path, 'leads-2026-03-02T08-00-00Z.db'), 0o644)

  restrictExposedFiles(folders(other.path))

  const modes = ['', 'notes.txt', 'leads-2026-03-02T08-00-00Z.db'].map((name) =>
    modeOf(join(other.path, name)),
  )
  expect(modes).toEqual(['755', '644', '600'])
})

test.each(['mail', 'backups'])('in a linked %s folder, only our files are closed', (name) => {
  using other = newDataDir()
  const theirs = ['notes.txt', 'linked.eml', 'leads-linked.db']
  const ours = name === 'mail' ? ['0a1.eml', '.0a1.eml.part'] : ['leads-2026-03-02T08-00-00Z.db']
  makeFolder(other.path, 0o755)
  for (const file of ['notes.txt', ...ours]) make(join(other.path, file), 0o644)
  make(at('theirs'), 0o644)
  for (const link of ['linked.eml', 'leads-linked.db']) symlinkSync(at('theirs'), join(other.path, link))
  symlinkSync(other.path, at(name))

  restrictExposedFiles(folders())

  expect(theirs.map((file) => modeOf(join(other.path, file)))).toEqual(['644', '644', '644'])
  expect(ours.map((file) => modeOf(join(other.path, file)))).toEqual(ours.map(() => '600'))
  expect(modeOf(other.path)).toBe('755')
})

test('folders that others can enter are listed, including the targets of links', () => {
  using other = newDataDir()
  makeFolder(folder.path, 0o700)
  makeFolder(other.path, 0o711)
  makeFolder(at('backups'), 0o700)
  expect(listAccessibleFolders(folder.path)).toEqual([])

  symlinkSync(other.path, at('mail'))
  expect(listAccessibleFolders(folder.path)).toEqual([realpathSync(other.path)])
  makeFolder(folder.path, 0o755)
  expect(listAccessibleFolders(folder.path)).toEqual(
    [folder.path, other.path].map((path) => realpathSync(path)),
  )
})

test('a link that replaces our file at the last moment is not followed', async () => {
  make(at('victim'), 0o644)
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
  make(join(other.path, 'theirs'), 0o644)
  symlinkSync(join(other.path, 'theirs'), at('leads.db'))

  restrictExposedFiles(folders())
  restrictExposedFiles({ dataDir: at('nothing'), backupDir: at('nothing', 'backups') })

  expect(modeOf(join(other.path, 'theirs'))).toBe('644')
})

test.skipIf(!isRoot)('the files of other users stay as they are', () => {
  make(at('leads.db'), 0o644)
  chownSync(at('leads.db'), NOBODY, NOBODY)

  restrictExposedFiles(folders())

  expect(modeOf(at('leads.db'))).toBe('644')
  expect(listExposedFiles(folders())).toEqual([at('leads.db')])
})
