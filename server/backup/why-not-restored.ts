import type Sqlite from 'better-sqlite3'
import { knownShapes, whyNotOurs } from '../database/known-shapes.ts'
import { findWrongValue } from './wrong-value.ts'

/** Makes what tells why `restore` refuses a file; it answers undefined for one that is restored. Definitions come first. */
export async function createRefusal(): Promise<(sqlite: Sqlite.Database) => string | undefined> {
  const shapes = await knownShapes()
  return (sqlite) => whyNotOurs(sqlite, shapes) ?? findWrongValue(sqlite)
}
