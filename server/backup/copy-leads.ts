import { type Kysely, sql } from 'kysely'
import { count } from '../count.ts'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'

// With the most columns of a row well below the 32 766 parameters that SQLite takes in a statement.
const ROWS_A_STEP = 1000

// What the rows are read by; in an order in which each table finds what it refers to.
const keys = { leads: 'id', outbox: 'id', outbox_attempts: 'rowid' } as const

type Table = keyof typeof keys
type Row = Record<string, unknown>
/** The number of rows, by table. */
export type Counts = Record<Table, number>
type OnProgress = (leads: number, of: number) => void

/**
 * Copies everything that is kept from one database into an empty one of the newest shape, whatever the two are. Nothing
 * is left in the target unless all arrived and both sides were counted. Nobody may write to the source meanwhile, or it
 * must be a snapshot.
 */
export async function copyLeads(
  from: Database,
  to: Database,
  onProgress: OnProgress = () => {},
): Promise<Counts> {
  const wanted = await countRows(from)
  await to.transaction().execute(async (target) => {
    await assertEmpty(target)
    for (const name of Object.keys(keys) as Table[]) {
      let copied = 0
      for await (const rows of pagesOf(from, name)) {
        await untyped(target)
          .insertInto(name)
          .values(isShared(target) ? rows.map(withoutNul) : rows)
          .execute()
        copied += rows.length
        if (name === 'leads') onProgress(copied, wanted.leads)
      }
    }
    await copySettings(from, target)
    if (isShared(target)) await drawNumbersAfter(target)
    const counted = await countRows(target)
    if (JSON.stringify(counted) !== JSON.stringify(wanted))
      throw new Error(`The copy has ${JSON.stringify(counted)}, the original ${JSON.stringify(wanted)}.`)
  })
  return wanted
}

/** The target holds leads already. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

async function assertEmpty(target: Database) {
  // A copy of the program that runs on it already must not add to it now.
  if (isShared(target)) await sql`lock table leads, outbox, settings in exclusive mode`.execute(target)
  const found = await countRows(target)
  if (Object.values(found).some((count) => count > 0))
    throw new NotEmpty(
      `The target is not empty: it has ${count(found.leads, 'lead')} and ${count(found.outbox, 'email')}.`,
    )
}

async function* pagesOf(from: Database, name: Table): AsyncGenerator<Row[]> {
  const key = keys[name]
  const page = untyped(from)
    .selectFrom(name)
    .selectAll()
    .select(`${key} as last`)
    .orderBy(key)
    .limit(ROWS_A_STEP)
  for (let rows = await page.execute(); rows.length > 0; ) {
    // The order of the ledger is kept, its numbers are drawn anew.
    yield rows.map(({ last: _last, rowid: _number, ...row }) => row)
    rows = await page.where(key, '>', rows.at(-1)?.last).execute()
  }
}

/** The keys of this installation, its limits and notes: hashes and form tokens go on to fit. */
async function copySettings(from: Database, target: Database) {
  await target.deleteFrom('settings').execute()
  const settings = await from.selectFrom('settings').selectAll().execute()
  await target.insertInto('settings').values(settings).execute()
  const accepted = await from.selectFrom('accepted_requests').selectAll().execute()
  for (let first = 0; first < accepted.length; first += ROWS_A_STEP)
    await target
      .insertInto('accepted_requests')
      .values(accepted.slice(first, first + ROWS_A_STEP))
      .execute()
}

/** The next mail gets a number behind those that were brought along. */
const drawNumbersAfter = (target: Database) =>
  sql`select setval(pg_get_serial_sequence('outbox', 'id'), greatest(max(id), 1), max(id) is not null) from outbox`.execute(
    target,
  )

/** How many rows there are of what must not be lost. */
export async function countRows(db: Database): Promise<Counts> {
  const count = async (name: Table) => {
    const counted = db.selectFrom(name).select(({ fn }) => fn.countAll<number>().as('rows'))
    return (await counted.executeTakeFirstOrThrow()).rows
  }
  return {
    leads: await count('leads'),
    outbox: await count('outbox'),
    outbox_attempts: await count('outbox_attempts'),
  }
}

// What a mail server has answered may hold a NUL, which PostgreSQL takes in no text.
const withoutNul = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
    ]),
  )

const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>
