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
