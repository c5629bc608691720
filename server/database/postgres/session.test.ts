import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../../testing/build-test-app.ts'
import { runSql } from '../../testing/create-database.ts'
import { lockNames } from '../differences.ts'
import type { Database } from '../schema.ts'
import { connect } from './open-postgres.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
let url: string
beforeEach(async () => {
  site = await buildTestApp()
  url = String(site.env.DATABASE_URL)
})
afterEach(() => site[Symbol.asyncDispose]())

/** As an operator may set it, for all connections to come. */
const setForAll = (name: string, value: string) =>
  runSql(url, `alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`)

const countLeads = async (db: Database) => (await db.selectFrom('leads').select('id').execute()).length

test.each(['repeatable read', 'serializable'])(
  'who has waited for a lock sees what its holder has written, also where %s is the rule',
  async (level) => {
    await setForAll('default_transaction_isolation', level)
    const [holder, waiter] = [connect(url, 'visitor'), connect(url, 'visitor')]
    const waiters = sql<{ count: number }>`select count(*) as count from pg_locks
    where locktype = 'advisory' and not granted and database =
    (select oid from pg_database where datname = current_database())`
    let seen: Promise<number> | undefined

    await holder.transaction().execute(async (transaction) => {
      await lockNames(transaction, ['a client'])
      seen = waiter.transaction().execute(async (other) => {
        await lockNames(other, ['a client'])
        return countLeads(other)
      })
      await expect.poll(async () => (await waiters.execute(site.db)).rows[0]?.count, { interval: 5 }).toBe(1)
      await sql`insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website,
      budget, message, content_hash) values ('1', 'Q', '', '', '', '', '', '', '', '', '', '')`.execute(
        transaction,
      )
    })

    expect(await seen).toBe(1)
    await Promise.all([holder.destroy(), waiter.destroy()])
  },
)
