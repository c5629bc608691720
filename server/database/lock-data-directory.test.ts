import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { isServerRunning, lockDataDirectory } from './lock-data-directory.ts'
import { openStorage } from './open-storage.ts'

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

const lockFile = () => join(folder.path, 'server.lock')

test('renew locks a new file if the old one was deleted', () => {
  const lock = lockDataDirectory(folder.path)
  rmSync(lockFile())
  expect(isServerRunning(folder.path)).toBe(false)

  lock.renew()

  expect(isServerRunning(folder.path)).toBe(true)
  expect(() => lockDataDirectory(folder.path)).toThrow('Another server')
  lock.release()
  expect(isServerRunning(folder.path)).toBe(false)
})

test('renew keeps a lock whose file still exists', () => {
  const lock = lockDataDirectory(folder.path)

  for (let times = 0; times < 3; times++) lock.renew()

  expect(() => lockDataDirectory(folder.path)).toThrow('Another server')
  lock.release()
})

test('if another server has locked the data directory, renewLock reports a failure until that lock is released', async () => {
  const failures: Error[] = []
  const storage = await openStorage({ DATA_DIR: folder.path }, (error) => failures.push(error))
  renameSync(lockFile(), join(folder.path, 'away'))
  const other = lockDataDirectory(folder.path)

  storage.renewLock?.()

  expect(failures).toMatchObject([{ name: 'DataDirectoryInUse' }])
  other.release()
  storage.renewLock?.()
  expect([failures.length, existsSync(lockFile())]).toEqual([1, true])
  await storage.close()
})

test('a reader of the lock file does not affect the lock', () => {
  lockDataDirectory(folder.path).release()
  const reader = new Sqlite(lockFile(), { readonly: true })
  reader.exec('begin')
  reader.prepare('select * from sqlite_master').all()

  const lock = lockDataDirectory(folder.path)

  expect(() => lockDataDirectory(folder.path)).toThrow('Another server')
  expect(isServerRunning(folder.path)).toBe(true)
  lock.renew()
  lock.release()
  reader.close()
  lockDataDirectory(folder.path).release()
})

test('the error for a damaged lock file says what to do', () => {
  writeFileSync(lockFile(), 'garbage '.repeat(1000))

  const message = 'server.lock is damaged. It contains no data: delete it, then start again.'
  expect(() => lockDataDirectory(folder.path)).toThrow(message)
  expect(() => isServerRunning(folder.path)).toThrow(message)
})
