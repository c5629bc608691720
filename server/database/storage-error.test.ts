import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isDiskFailure, isStorageError } from './storage-error.ts'

const sqliteError = (code: string) => new Sqlite.SqliteError('injected', code)

test('a full disk, a lock, a read-only file and an I/O error are storage errors; a TypeError is not', () => {
  for (const code of ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_READONLY', 'SQLITE_IOERR_FSYNC'])
    expect(isStorageError(sqliteError(code)), code).toBe(true)
  expect(isStorageError(new TypeError('a bug'))).toBe(false)
})

test('a violated constraint or wrong SQL is a bug, not a storage error', () => {
  for (const code of [
    'SQLITE_CONSTRAINT_UNIQUE',
    'SQLITE_CONSTRAINT_NOTNULL',
    'SQLITE_ERROR',
    'SQLITE_RANGE',
  ])
    expect(isStorageError(sqliteError(code)), code).toBe(false)
})

test('an I/O error or a damaged file is a disk failure; a full disk or a lock is not', () => {
  for (const code of [
    'SQLITE_IOERR',
    'SQLITE_IOERR_FSYNC',
    'SQLITE_IOERR_WRITE',
    'SQLITE_CORRUPT',
    'SQLITE_NOTADB',
  ])
    expect(isDiskFailure(sqliteError(code)), code).toBe(true)
  for (const code of ['SQLITE_FULL', 'SQLITE_BUSY'])
    expect(isDiskFailure(sqliteError(code)), code).toBe(false)
})
