import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { leadViews } from '#shared/inbox/lead.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { createSqliteDialect } from '../../database/sqlite-dialect.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead } from '../../proof/testing/leads.ts'
import { readFigures, readSummary } from './figures.ts'
import { listLeads, searchLeads } from './lists.ts'
import { readLead } from './read-lead.ts'

const now = new Date('2026-03-02T15:00:00.000Z')
const reference = 'Q-7K3M-9QXD'

const site = useTestApp()
beforeEach(async () => {
  await storeLead(site.db, { reference })
})

/** How SQLite runs each query of a read. */
async function plansOf(read: (db: Database) => Promise<unknown>) {
  const sqlite = new Sqlite(join(site.dataDir, 'leads.db'), { readonly: true })
  const queries: CompiledQuery[] = []
  const dialect = createSqliteDialect(sqlite)
  const db = new Kysely<Schema>({ dialect, log: ({ query }) => void queries.push(query) })
  await read(db)
  const plans = queries.map(({ sql, parameters }) => ({
    sql,
    steps: sqlite
      .prepare(`explain query plan ${sql}`)
      .all(...parameters)
      .map((row) => (row as { detail: string }).detail),
  }))
  await db.destroy()
  return plans
}

// Steps that stay fast with many leads: lookups in an index, subqueries with a limit, and scans of the indexes that contain
// only unsent emails. A list of ids stays fast, too, although SQLite reports it as the scan of a virtual table.
const isFast = (step: string) =>
  /^(SEARCH|LIST|CO-ROUTINE|COMPOUND|MULTI-INDEX|INDEX|CORRELATED|SCALAR|REUSE|SCAN (some|CONSTANT))/.test(
    step,
  ) ||
  /^SCAN json_each VIRTUAL TABLE INDEX \d+:[^0]/.test(step) ||
  /^SCAN outbox USING (COVERING )?INDEX outbox_(failed|waiting|open)/.test(step)

const after = [now.toISOString(), 'lead-1'] as const
const reads: [string, (db: Database) => Promise<unknown>][] = [
  ...leadViews.flatMap((view): typeof reads => [
    [`the list ${view}`, (db) => listLeads(db, { view, after: undefined, now })],
    [`a later page of the list ${view}`, (db) => listLeads(db, { view, after, now })],
  ]),
  ['a search for a reference', (db) => searchLeads(db, { search: reference })],
  ['a later page of a search', (db) => searchLeads(db, { search: 'ada', before: 'lead-9' })],
  ['one lead', (db) => readLead(db, { reference, owner: '', now, sendsReceipts: true })],
  ['the summary', (db) => readSummary(db, { now, hasMailServer: true })],
  ['the figures', (db) => readFigures(db, now)],
]

test.each(reads)(
  '%s: no query sorts or scans anything that grows with the number of leads, apart from a limited range',
  async (_name, read) => {
    const plans = await plansOf(read)

    const slow = plans.filter(({ sql, steps }) =>
      steps.some(
        (step) =>
          !isFast(step) &&
          !(sortsFewRows(sql) && step.startsWith('USE TEMP B-TREE')) &&
          !(readsNewest(sql) && step.startsWith('SCAN leads USING')),
      ),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(slow).toEqual([])
  },
)

/** Whether a query sorts only rows that belong to one lead or one page of leads. */
const sortsFewRows = (sql: string) => /"lead_id" in|"id" in|lower\(email\)/.test(sql)

/** Whether a query reads leads in the order of an index, up to a limit. */
const readsNewest = (sql: string) =>
  / from "leads"( order by "created_at" desc, "id" desc)? limit \?/.test(sql)
