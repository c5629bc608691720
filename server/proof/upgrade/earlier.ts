import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { StorageSettings } from '../../database/open-storage.ts'
import type { Database } from '../../database/schema.ts'
import { isShared } from '../../database/shared-database.ts'
import { queryDatabase } from '../faults/query-database.ts'
import { runSql } from '../testing/postgres.ts'

// leads.db and leads.sql contain what the last version before 1.0.0 (commit 278877a1) has stored in
// SQLite and PostgreSQL. That program ran for two minutes with two owners, who used its inbox over
// HTTP, and 22 visitors, all of them made up. First it had no mail server, then real ones (SMTP and
// IMAP) and a receiver of leads, then a small EMAILS_A_DAY. In the end, the mail server deferred
// all emails and hung, and the program was killed. leads.db is a backup, made by that version's
// command, and leads.sql is a dump by pg_dump.

export type Row = Record<string, unknown>
/** The rows of each table. */
export type Content = Record<string, Row[]>

/** A backup made by that version. */
export const earlierFile = join(import.meta.dirname, 'leads.db')

/** Puts what that version has stored into a new folder, or into an empty database. */
export async function placeEarlier({ DATA_DIR, DATABASE_URL }: StorageSettings) {
  if (!DATABASE_URL) return copyFileSync(earlierFile, join(DATA_DIR, 'leads.db'))
  await runSql(DATABASE_URL, readFileSync(join(import.meta.dirname, 'leads.sql'), 'utf8'))
}

/** Reads every row of every table, apart from Kysely's own, whatever the schema. */
export const readContent = (settings: StorageSettings): Promise<Content> =>
  queryDatabase(settings, async ({ db }) => {
    const tables = await db.introspection.getTables()
    const content: Content = {}
    for (const { name } of tables) {
      const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(db)
      content[name] = rows
    }
    return content
  })

/** What of the content is missing or changed later. New columns, columns that got other names, and new rows don't count. */
export function findLost(before: Content, after: Content, mayChange: Record<string, readonly string[]> = {}) {
  return Object.entries(before).flatMap(([table, rows]) => {
    const ignored = mayChange[table] ?? []
    const now = after[table] ?? []
    const columns = Object.keys(rows[0] ?? {}).filter(
      (column) => !ignored.includes(column) && column in (now[0] ?? {}),
    )
    const textOf = (row: Row) => JSON.stringify(columns.map((column) => row[column]))
    const there = new Set(now.map(textOf))
    // What a lead is found by may become more.
    const isKept = (row: Row) =>
      there.has(textOf(row)) ||
      (table === 'lead_texts' &&
        now.some((found) => columns.every((name) => String(found[name]).startsWith(String(row[name])))))
    return rows.filter((row) => !isKept(row)).map((row) => `${table}: ${textOf(row).slice(0, 200)}`)
  })
}

/** The tables, columns, constraints and indexes of a database, as text. */
export const readSchema = (settings: StorageSettings) =>
  queryDatabase(settings, async ({ db }) => {
    const { rows } = await (isShared(db) ? schemaOfPostgres : schemaOfSqlite).execute(db as Database)
    return rows.map(({ line }) => line).toSorted()
  })

type Line = { line: string }
const schemaOfSqlite = sql<Line>`select sql as line from sqlite_schema where sql is not null`
const schemaOfPostgres = sql<Line>`
  select concat_ws(' ', table_name, column_name, data_type, collation_name, column_default, is_nullable,
    identity_generation) as line from information_schema.columns where table_schema = 'public'
  union all select indexdef from pg_indexes where schemaname = 'public'
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = 'public'::regnamespace`
