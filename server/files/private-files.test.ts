import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { listAccessibleFolders, listExposedFiles } from './private-files.ts'

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

const at = (...names: string[]) => join(folder.path, ...names)
const folders = (backupDir = at('backups')) => ({ dataDir: folder.path, backupDir })

function createFile(path: string, mode: number) {
  writeFileSync(path, '')
  chmodSync(path, mode)
}
function createFolder(path: string, mode: number) {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
}

test('files that other users can read are listed', () => {
  for (const name of ['', 'mail', 'backups']) createFolder(at(name), 0o755)
  const files = ['leads.db', 'server.lock', 'backups/leads-2026-03-02T08-00-00Z.db']
  for (const name of files) createFile(at(name), 0o664)
  createFile(at('leads.db-wal'), 0o600)

  expect(listExposedFiles(folders())).toEqual(
    expect.arrayContaining([...['', 'mail', 'backups'], ...files].map((name) => realpathSync(at(name)))),
  )
  expect(listExposedFiles(folders())).toHaveLength(6)
})

test('in a folder with other contents, only our files are listed', () => {
  createFolder(folder.path, 0o755)
  createFolder(at('website'), 0o755)
  createFile(at('leads.db'), 0o644)

  expect(listExposedFiles(folders())).toEqual([at('leads.db')])
})

test('in a backup folder outside the data directory, only backups are listed', () => {
  using other = newDataDir()
  createFolder(other.path, 0o755)
  createFile(join(other.path, 'notes.txt'), 0o644)
  createFile(join(other.path, 'leads-2026-03-02T08-00-00Z.db'), 0o644)

  expect(listExposedFiles(folders(other.path))).toEqual([join(other.path, 'leads-2026-03-02T08-00-00Z.db')])
})

test.each(['mail', 'backups'])('in a linked %s folder, only our files are listed', (name) => {
  using other = newDataDir()
  const ours = name === 'mail' ? ['0a1.eml', '.0a1.eml.part'] : ['leads-2026-03-02T08-00-00Z.db']
  createFolder(other.path, 0o755)
  for (const file of ['notes.txt', ...ours]) createFile(join(other.path, file), 0o644)
  createFile(at('theirs'), 0o644)
  for (const link of ['linked.eml', 'leads-linked.db']) symlinkSync(at('theirs'), join(other.path, link))
  symlinkSync(other.path, at(name))

  expect(listExposedFiles(folders()).toSorted()).toEqual(ours.map((file) => at(name, file)).toSorted())
})

test('a missing folder is not an error', () => {
  expect(listExposedFiles({ dataDir: at('missing'), backupDir: at('missing', 'backups') })).toEqual([])
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
