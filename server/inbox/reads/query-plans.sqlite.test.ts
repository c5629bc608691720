import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type CompiledQuery, Kysely } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { leadViews } from '#shared/inbox/lead.ts'
import type { Schema } from '../../database/schema.ts'
import { createSqliteDialect } from '../../database/sqlite-dialect.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { storeIndexed } from '../../proof/testing/store-lead.ts'
import { type Input, type ReadName, runRead } from './reads.ts'

const now = '2026-03-02T15:00:00.000Z'
const reference = 'Q-7K3M-9QXD'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
  await storeIndexed(site.db, { reference })
})
afterEach(() => site[Symbol.asyncDispose]())

/** How SQLite runs each query of a read. */
async function plansOf<Name extends ReadName>(name: Name, input: Input<Name>) {
  const sqlite = new Sqlite(join(site.dataDir, 'leads.db'), { readonly: true })
  const queries: CompiledQuery[] = []
  const dialect = createSqliteDialect(sqlite)
  const db = new Kysely<Schema>({ dialect, log: ({ query }) => void queries.push(query) })
  await runRead(db, name, input)
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

// Steps that stay fast with many leads: lookups in an index, subqueries with a limit, the check for leads that are missing
// from the search index (it stops at the first), and scans of the indexes that contain only unsent emails. Full-text
// searches and lists of ids stay fast, too, although SQLite reports them as scans of virtual tables.
const isFast = (step: string) =>
  /^(SEARCH|LIST|CO-ROUTINE|COMPOUND|MULTI-INDEX|INDEX|CORRELATED|SCALAR|REUSE|SCAN (some|CONSTANT))/.test(
    step,
  ) ||
  /^SCAN (lead_words|json_each) VIRTUAL TABLE INDEX \d+:[^0]/.test(step) ||
  /^SCAN outbox USING (COVERING )?INDEX outbox_(failed|waiting|open)/.test(step) ||
  /^SCAN leads USING COVERING INDEX leads_unindexed/.test(step)

const after = [now, 'lead-1'] as const
const reads: [ReadName, object][] = [
  ...leadViews.flatMap((view): [ReadName, object][] => [
    ['list', { view, after: undefined, now }],
    ['list', { view, after, now }],
  ]),
  ['search', { search: reference, before: undefined }],
  ['search', { search: 'ada', before: 10 }],
  ['lead', { reference, owner: '', now, sendsReceipts: true }],
  ['summary', { now, hasMailServer: true }],
]

test.each(reads)(
  'the read "%s" with %j neither sorts nor scans anything that grows with the number of leads',
  async (name, input) => {
    const plans = await plansOf(name, input as never)

    const slow = plans.filter(({ sql, steps }) =>
      steps.some((step) => !isFast(step) && !(sortsFewRows(sql) && step.startsWith('USE TEMP B-TREE'))),
    )
    expect(plans.length).toBeGreaterThan(0)
    expect(slow).toEqual([])
  },
)

/** Whether a query sorts only rows that belong to one lead or one page of leads. */
const sortsFewRows = (sql: string) => /"lead_id" in|"number" in|lower\(email\)/.test(sql)

test('the first row of a page is looked up in the index', async () => {
  const [{ steps } = { steps: [] }] = await plansOf('list', { view: 'won', after, now })

  expect(steps[0]).toMatch(/leads_by_list \(<expr>=\? AND \(sort_key,id\)>.*<\(/)
})
