import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { isServerRunning, lockDataDirectory } from './lock-data-directory.ts'

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

test('a second server is refused until the first one ends', () => {
  const unlock = lockDataDirectory(folder.path)

  expect(() => lockDataDirectory(folder.path)).toThrow('A server is already using the data directory')
  expect(isServerRunning(folder.path)).toBe(true)
  unlock()
  expect(isServerRunning(folder.path)).toBe(false)
  lockDataDirectory(folder.path)()
})

test('a reader of the lock file does not affect the lock', () => {
  lockDataDirectory(folder.path)()
  const reader = new Sqlite(join(folder.path, 'server.lock'), { readonly: true })
  reader.exec('begin')
  reader.prepare('select * from sqlite_master').all()

  const unlock = lockDataDirectory(folder.path)

  expect(() => lockDataDirectory(folder.path)).toThrow('A server is already using')
  unlock()
  reader.close()
  lockDataDirectory(folder.path)()
})
