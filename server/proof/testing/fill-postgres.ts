import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { migrate } from '../../database/migrate.ts'
import { connect } from '../../database/postgres.ts'
import { fillDatabase } from './fill-database.ts'

const BATCH_ROWS = 500

/** Fills an empty PostgreSQL database with the same leads as `fillDatabase`, without emails. */
export async function fillPostgres(url: string, count: number) {
  using filled = await fillDatabase(count)
  const source = new Sqlite(join(filled.path, 'leads.db'), { readonly: true })
  const db = connect(url, 'operator')
  await migrate(db)
  const target = db as unknown as Kysely<Record<string, Record<string, unknown>>>
  for (const [table, key] of Object.entries({ leads: 'id', lead_texts: 'lead_id' })) {
    const page = source.prepare<[string], Record<string, unknown>>(
      `select * from ${table} where ${key} > ? order by ${key} limit ${BATCH_ROWS}`,
    )
    for (let rows = page.all(''); rows.length > 0; rows = page.all(String(rows.at(-1)?.[key])))
      await target.insertInto(table).values(rows).execute()
  }
  await db.destroy()
  source.close()
}
