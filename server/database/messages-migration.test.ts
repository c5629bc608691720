import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { searchLeads } from '../leads/lists/search-leads.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLead } from '../proof/testing/leads.ts'
import { up } from './migrations/002-messages.ts'

const site = useTestApp()

test('searches find the addresses from which messages came before the migration', async () => {
  const { id, reference } = await storeLead(site.db)
  const reply = { lead_id: id, at: '2026-03-02T15:00:00.000Z', what: 'reply', received: '{}' } as const
  await site.db
    .insertInto('lead_events')
    .values({ ...reply, who: 'Bo@studio-nord.example' })
    .execute()
  for (const index of ['message', 'sender'])
    await sql`drop index ${sql.ref(`lead_events_by_${index}`)}`.execute(site.db)
  for (const column of ['message_hash', 'joined', 'recipient'])
    await sql`alter table lead_events drop column ${sql.ref(column)}`.execute(site.db)
  await sql`alter table leads drop column listed_at`.execute(site.db)

  await up(site.db as unknown as Kysely<unknown>)

  for (const search of ['bo@studio-nord.example', 'nord'])
    expect((await searchLeads(site.db, { search })).leads).toMatchObject([{ reference }])
})
