import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isDiskFailure, isStorageError } from './storage-error.ts'

const sqliteError = (code: string) => new Sqlite.SqliteError('injected', code)

test.each([
  ['SQLITE_FULL', true, false],
  ['SQLITE_BUSY', true, false],
  ['SQLITE_READONLY', true, false],
  ['SQLITE_IOERR', true, true],
  ['SQLITE_IOERR_FSYNC', true, true],
  ['SQLITE_CORRUPT', true, true],
  ['SQLITE_NOTADB', true, true],
  ['SQLITE_CONSTRAINT_UNIQUE', false, false],
  ['SQLITE_ERROR', false, false],
  ['SQLITE_RANGE', false, false],
])('%s is a storage error: %s; it is a failure of the disk: %s', (code, isStorage, isDisk) => {
  const error = sqliteError(code)

  expect([isStorageError(error), isDiskFailure(error)]).toEqual([isStorage, isDisk])
})

test('a TypeError is a bug, not a storage error', () => {
  expect(isStorageError(new TypeError('a bug'))).toBe(false)
})
