import type Sqlite from 'better-sqlite3'
import { findSchemaMismatch, knownSchemas } from '../database/known-schemas.ts'
import { findInvalidValue } from './invalid-value.ts'

/** Creates a function that returns why `restore` must refuse a database, or undefined if the database is valid. */
export async function createRestoreCheck(): Promise<(sqlite: Sqlite.Database) => string | undefined> {
  const schemas = await knownSchemas()
  return (sqlite) => findSchemaMismatch(sqlite, schemas) ?? findInvalidValue(sqlite)
}
