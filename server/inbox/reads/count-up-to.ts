import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Schema } from '../../database/schema.ts'

/** Counts rows, but reads no more than `max`. */
export async function countUpTo<Table extends keyof Schema>(
  db: Database,
  max: number,
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.select(sql`1`.as('one')).limit(max).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
