import { type SelectQueryBuilder, sql } from 'kysely'
import { MAX_COUNTED } from '#shared/inbox/api.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { leadsIn } from './lists.ts'

/** Counts suspected spam that no owner has judged. */
export const countSuspects = (db: Database, now: Date): Promise<number> =>
  countUpTo(db, leadsIn(db, 'suspects', now))

/**
 * Counts rows, but reads no more than `MAX_COUNTED`, so that it is fast even with a million leads.
 */
export async function countUpTo<Table extends keyof Schema>(
  db: Database,
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.select(sql`1`.as('one')).limit(MAX_COUNTED).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
