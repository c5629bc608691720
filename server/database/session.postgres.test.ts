import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLead } from '../proof/testing/leads.ts'
import { runSql } from '../proof/testing/postgres.ts'
import { lockNames } from './differences.ts'
import { connect } from './postgres.ts'
import type { Database } from './schema.ts'

const site = useTestApp()
let url: string
beforeEach(async () => {
  url = String(site.env.DATABASE_URL)
})

/** Sets a default for all new connections, as an operator might. */
const setForAll = (name: string, value: string) =>
  runSql(url, `alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`)

const countLeads = async (db: Database) => (await db.selectFrom('leads').select('id').execute()).length

test('after waiting for a lock, a transaction sees what the previous holder wrote, whatever the default isolation is', async () => {
  await setForAll('default_transaction_isolation', 'serializable')
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
    await storeLead(transaction)
  })

  expect(await seen).toBe(1)
  await Promise.all([holder.destroy(), waiter.destroy()])
})

const settingsOf = async (db: Database, ...names: string[]) => {
  const { rows } = await sql<{ name: string; setting: string; source: string }>`
    select name, setting, source from pg_settings where name = any(${names}) order by name`.execute(db)
  return rows
}
test.each([
  ['off', 'on'],
  ['remote_apply', 'remote_apply'],
])('if the default synchronous_commit is %s, we use %s', async (initial, expected) => {
  await setForAll('synchronous_commit', initial)
  const db = connect(url, 'visitor')

  expect(await settingsOf(db, 'synchronous_commit')).toMatchObject([{ setting: expected }])
  await db.destroy()
})
