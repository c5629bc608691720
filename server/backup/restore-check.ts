import type Sqlite from 'better-sqlite3'
import { findSchemaMismatch, knownSchemas } from '../database/known-schemas.ts'
import { findInvalidValue } from './invalid-value.ts'

/**
 * Creates a function that returns why `restore` refuses a database; undefined if it accepts it. It checks the definitions
 * before it reads any row: see `findSchemaMismatch`.
 */
export async function createRestoreCheck(): Promise<(sqlite: Sqlite.Database) => string | undefined> {
  const schemas = await knownSchemas()
  return (sqlite) => findSchemaMismatch(sqlite, schemas) ?? findInvalidValue(sqlite)
}
