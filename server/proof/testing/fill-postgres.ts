import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Kysely } from 'kysely'
import { migrate } from '../../database/migrate.ts'
import { connect } from '../../database/postgres.ts'
import { fillDatabase } from './fill-database.ts'
import { indexAll } from './find-words.ts'

const BATCH_ROWS = 500

/** Fills an empty PostgreSQL database with the same leads as `fillDatabase`, without emails. */
export async function fillPostgres(url: string, count: number) {
  using filled = await fillDatabase(count, 'sent', { isIndexed: false })
  const source = new Sqlite(join(filled.path, 'leads.db'), { readonly: true })
  const db = connect(url, 'operator')
  await migrate(db)
  const leads = (db as unknown as Kysely<Record<'leads', Record<string, unknown>>>).insertInto('leads')
  const page = source.prepare(`select * from leads where id > ? order by id limit ${BATCH_ROWS}`)
  for (let last = ''; ; ) {
    const rows = page.all(last) as Record<string, unknown>[]
    if (rows.length === 0) break
    await leads.values(rows).execute()
    last = String(rows.at(-1)?.id)
  }
  await indexAll(db)
  await db.destroy()
  source.close()
}
