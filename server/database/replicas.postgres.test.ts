import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startJobs } from '../app/jobs.ts'
import { createOutboxStore } from '../outbox/outbox-store.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { storeLead } from '../proof/testing/leads.ts'
import { atDatabase, createDatabase, dropDatabase, runSql } from '../proof/testing/postgres.ts'
import { openClock, runAlone } from './differences.ts'
import { createGroupCommit } from './group-commit.ts'
import {
  connect,
  findUnsafeSettings,
  openExistingPostgres,
  openPostgres,
  preparePostgres,
} from './postgres.ts'
import type { Database } from './schema.ts'
import { lockNames } from './shared-database.ts'
import { StorageUnavailable } from './storage-error.ts'

const site = useTestApp()
let url: string
beforeEach(async () => {
  url = String(site.env.DATABASE_URL)
})

const submit = (message: string) => site.submit({ message })

test('replicas that start at the same time migrate an empty database once', async () => {
  const name = `together_${process.pid}`
  const empty = await createDatabase(atDatabase(url, 'postgres'), name)

  const replicas = await Promise.all([1, 2, 3].map(() => openPostgres(empty)))

  const keys = await Promise.all(
    replicas.map((db) => db.selectFrom('settings').selectAll().orderBy('name').execute()),
  )
  for (const replica of replicas) await replica.destroy()
  await dropDatabase(empty)
  expect(keys[0]).toHaveLength(3)
  expect(keys[1]).toEqual(keys[0])
})

test("a database with another program's table of one of our names is refused and left unchanged", async () => {
  const theirs = await createDatabase(atDatabase(url, 'postgres'), `theirs_${process.pid}`)
  await runSql(theirs, 'create table leads (name text)')

  for (const open of [openPostgres, openExistingPostgres])
    await expect(open(theirs)).rejects.toThrow(/^The database belongs to .* another program/)

  const db = connect(theirs, 'operator')
  const tables = await sql`select tablename from pg_tables where schemaname = 'public'`.execute(db)
  await db.destroy()
  await dropDatabase(theirs)
  expect(tables.rows).toEqual([{ tablename: 'leads' }])
})

test('a database with unsafe PostgreSQL settings is refused', async () => {
  expect(await findUnsafeSettings(site.db)).toEqual([])
  const found = await site.db.transaction().execute(async (db) => {
    // Hides the real settings.
    await sql`create temp table pg_settings on commit drop as
      select name, 'off' as setting from pg_catalog.pg_settings`.execute(db)
    return findUnsafeSettings(db)
  })
  const names = ['fsync', 'full_page_writes', 'server_encoding', 'synchronous_commit']
  expect(found).toEqual(names.map((name) => `${name}=off`))
  const server = atDatabase(url, 'postgres')
  const name = `ascii_${process.pid}`
  await runSql(
    server,
    `create database ${name} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
  )

  const refused = expect(preparePostgres(atDatabase(url, name))).rejects
  await refused.toThrow(/server_encoding=SQL_ASCII: confirmed leads could be lost/)

  await dropDatabase(atDatabase(url, name))
})

test('two replicas never claim the same email', async () => {
  for (const message of ['1', '2']) await submit(message)
  const other = connect(url, 'visitor')
  const claim = (db: Database, write = createGroupCommit(db)) =>
    createOutboxStore({ db, write }).claim(site.clock.now)

  // The second replica claims while the first has claimed, but not yet committed.
  const claimed = await site.db.transaction().execute(async (transaction) => {
    const first = await claim(transaction, (work) => work(transaction))
    return [first, await claim(other), await claim(other)]
  })

  await other.destroy()
  expect(new Set(claimed.map((email) => email?.id))).toEqual(new Set([1, 2, undefined]))
})

test('a job runs on one replica at a time, and a replica that loses its connection loses the job', async () => {
  const other = connect(`${url}&application_name=other`, 'visitor')
  const gate = Promise.withResolvers<void>()
  const ran: string[] = []
  const runHere = (name: string, label: string) => runAlone(site.db, name, async () => ran.push(label))
  const first = runAlone(other, 'morning email', () => {
    ran.push('first')
    return gate.promise
  })
  await expect.poll(() => ran).toEqual(['first'])

  await runHere('morning email', 'too early')
  await runHere('another', 'another')
  await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'other'")
  await expect.poll(() => runHere('morning email', 'taken over').then(() => ran)).toContain('taken over')

  gate.resolve()
  await expect(first).rejects.toThrow(StorageUnavailable)
  await other.destroy()
  expect([...new Set(ran)]).toEqual(['first', 'another', 'taken over'])
})

test('a job whose connection has ended is aborted, because another replica may run it, too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const other = connect(`${url}&application_name=other`, 'visitor')
  let signal: AbortSignal | undefined
  const run = (lost: AbortSignal) => {
    signal = lost
    return once(lost, 'abort')
  }
  const { stop } = startJobs({ ...site.context, db: other }, [{ name: 'mailbox', everyMs: 60_000, run }])
  await vi.waitFor(() => expect(signal).toBeDefined())

  await vi.advanceTimersByTimeAsync(60_000)
  expect(signal?.aborted).toBe(false)
  await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'other'")
  await vi.advanceTimersByTimeAsync(10_000)

  // The query fails when the end of the connection has been heard.
  await expect.poll(() => signal?.aborted).toBe(true)
  await expect.poll(() => site.logLines.join()).toContain('"mailbox failed"')
  await stop()
  await other.destroy()
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
      await lockNames(other, ['b client', 'a client'])
      return countLeads(other)
    })
    await expect.poll(async () => (await waiters.execute(site.db)).rows[0]?.count, { interval: 5 }).toBe(1)
    // Names are locked in alphabetical order, so this one is still free.
    await site.db.transaction().execute((third) => lockNames(third, ['b client']))
    await storeLead(transaction)
  })

  expect(await seen).toBe(1)
  await Promise.all([holder.destroy(), waiter.destroy()])
})

test('a connection that must be encrypted is not made without TLS', async () => {
  const secure = connect(`${url}&sslmode=verify-full`, 'visitor')
  await expect(countLeads(secure)).rejects.toThrow(/SSL/)
  await secure.destroy()
})

test.each([
  ['off', 'on'],
  ['remote_apply', 'remote_apply'],
])('if the default synchronous_commit is %s, we use %s', async (initial, expected) => {
  await setForAll('synchronous_commit', initial)
  const db = connect(url, 'visitor')

  expect((await sql`show synchronous_commit`.execute(db)).rows).toEqual([{ synchronous_commit: expected }])
  await db.destroy()
})

test.each([
  ['visitor', '', ['5s', '10s']],
  ['visitor', '&statement_timeout=2000', ['2s', '10s']],
  ['operator', '', ['0', '0']],
] as const)(
  'the statements and idle transactions of a %s%s time out after %j',
  async (audience, query, expected) => {
    const db = connect(url + query, audience)
    const timeouts = ['statement_timeout', 'idle_in_transaction_session_timeout'].map(
      async (name) => (await sql<Record<string, string>>`show ${sql.ref(name)}`.execute(db)).rows[0]?.[name],
    )

    expect(await Promise.all(timeouts)).toEqual(expected)
    await db.destroy()
  },
)

test('replicas follow the clock of the database, also after the clock of their machine is corrected', async () => {
  const startedAt = Date.now()
  const setClock = (hoursFast: number) =>
    vi.useFakeTimers({ toFake: ['Date'], now: startedAt + hoursFast * 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  setClock(1)
  const clock = await openClock(site.db)
  const minutesFast = () => Math.round((clock.now().getTime() - startedAt) / 60_000)
  expect(minutesFast()).toBe(0)

  setClock(0)
  await clock.follow()

  expect(minutesFast()).toBe(0)
})
