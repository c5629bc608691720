import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../testing/start-program.ts'
import { closeOpenFiles, listOpenFiles } from './private-files.ts'

const NOBODY = 65_534
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

test('what others could read is found, and closed to them', () => {
  for (const name of ['', 'mail', 'backups']) makeFolder(at(name), 0o755)
  for (const name of ['leads.db', 'server.lock', 'backups/leads-2026-03-02T08-00-00Z.db'])
    make(at(name), 0o664)
  expect(listOpenFiles(folders())).toHaveLength(6)

  closeOpenFiles(folders())

  expect(listOpenFiles(folders())).toEqual([])
  expect([modeOf(at('mail')), modeOf(at('leads.db'))]).toEqual(['700', '600'])
})

test('a folder that holds other things as well stays open, but not our files in it', () => {
  makeFolder(folder.path, 0o755)
  makeFolder(at('website'), 0o755)
  make(at('leads.db'), 0o644)

  closeOpenFiles(folders())

  expect([folder.path, at('website'), at('leads.db')].map(modeOf)).toEqual(['755', '755', '600'])
})

test('of a backup folder elsewhere, only backups are closed', () => {
  using other = newDataDir()
  makeFolder(other.path, 0o755)
  make(join(other.path, 'notes.txt'), 0o644)
  make(join(other.path, 'leads-2026-03-02T08-00-00Z.db'), 0o644)

  closeOpenFiles(folders(other.path))

  const modes = ['', 'notes.txt', 'leads-2026-03-02T08-00-00Z.db'].map((name) =>
    modeOf(join(other.path, name)),
  )
  expect(modes).toEqual(['755', '644', '600'])
})

test('a link is not followed, and what is missing is no error', () => {
  using other = newDataDir()
  make(join(other.path, 'theirs'), 0o644)
  symlinkSync(join(other.path, 'theirs'), at('leads.db'))

  closeOpenFiles(folders())
  closeOpenFiles({ dataDir: at('nothing'), backupDir: at('nothing', 'backups') })

  expect(modeOf(join(other.path, 'theirs'))).toBe('644')
})

test.skipIf(!isRoot)('the files of other users stay as they are', () => {
  make(at('leads.db'), 0o644)
  chownSync(at('leads.db'), NOBODY, NOBODY)

  closeOpenFiles(folders())

  expect(modeOf(at('leads.db'))).toBe('644')
  expect(listOpenFiles(folders())).toEqual([at('leads.db')])
})
