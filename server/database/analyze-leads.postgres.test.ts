import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { analyzeLeads } from './analyze-leads.ts'

const site = useTestApp()

/** Whether PostgreSQL has statistics of the leads: -1 means that the table was never analyzed. */
const isAnalyzed = async () => {
  const { rows } = await sql<{ reltuples: number }>`
    select reltuples from pg_class where oid = 'leads'::regclass`.execute(site.db)
  return rows[0]?.reltuples !== -1
}

test('a new database and one with few leads have no statistics, but one with many leads has', async () => {
  const seen = [await isAnalyzed()]
  for (const leads of [1_000, 1_001]) {
    await analyzeLeads(site.db, leads)
    seen.push(await isAnalyzed())
  }

  expect(seen).toEqual([false, false, true])
})
