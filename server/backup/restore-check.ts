import type Sqlite from 'better-sqlite3'
import { findSchemaMismatch, knownSchemas } from '../database/known-schemas.ts'
import { findInvalidValue } from './invalid-value.ts'

/**
 * Creates a function that returns the reason why `restore` must refuse a database, if there is one. It checks the schema
 * before it reads any rows: see `findSchemaMismatch`.
 */
export async function createRestoreCheck(): Promise<(sqlite: Sqlite.Database) => string | undefined> {
  const schemas = await knownSchemas()
  return (sqlite) => findSchemaMismatch(sqlite, schemas) ?? findInvalidValue(sqlite)
}
