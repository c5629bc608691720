import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { createDatabaseFile } from '../database/sqlite.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { leadTools, storeLeads } from '../proof/testing/leads.ts'
import { copyLeads } from './copy-leads.ts'

const site = useTestApp()
const { submit } = leadTools(site)

let target: Database
beforeEach(async () => {
  target = await createDatabaseFile(join(site.dataDir, 'target.db'))
  onTestFinished(() => target.destroy())
})

test('if the target loses a row during the copy, the error says what was expected and what was found', async () => {
  await submit()
  await sql`create trigger lose_emails after insert on outbox begin delete from outbox where id = new.id; end`.execute(
    target,
  )

  await expect(copyLeads(site.db, target)).rejects.toThrow(
    /^The copy does not match the source\. Expected: 1 lead, 1 email, 0 .* Found: 1 lead, 0 emails, 0 .* 0 passkeys\.$/,
  )
})

test('more rows than fit into one statement are copied', async () => {
  for (const _ of [1, 2]) await storeLeads(site.db, ...Array(600).fill({}))
  await sql`insert into lead_drafts select id, 'owner', 'Dear', '' from leads`.execute(site.db)

  expect(await copyLeads(site.db, target)).toMatchObject({ leads: 1200 })

  expect(await target.selectFrom('lead_drafts').select('text').execute()).toHaveLength(1200)
})

test('a migrated database knows the days of morning emails', async () => {
  await writeNote(site.db, 'morning_days', ['2026-03-02'])

  await copyLeads(site.db, target)

  expect(await readNote(target, 'morning_days')).toEqual(['2026-03-02'])
})
