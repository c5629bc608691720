import { type Kysely, sql } from 'kysely'
import { count } from '../count.ts'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'

// Stays below SQLite's limit of 32 766 parameters per statement, even for the widest table.
const BATCH_ROWS = 1000

// Primary keys, with referenced tables first.
const keys = {
  leads: 'id',
  outbox: 'id',
  outbox_attempts: 'rowid',
  lead_events: 'id',
  passkeys: 'id',
} as const

type Table = keyof typeof keys
type Row = Record<string, unknown>
/** Number of rows by table. */
export type Counts = Record<Table, number>
type OnProgress = (leads: number, of: number) => void

/**
 * Copies everything from one database to an empty one, SQLite or PostgreSQL, and compares the row counts. All or nothing.
 * The source must be a snapshot, or nobody may write to it meanwhile.
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
    await copySmallTables(from, target)
    if (isShared(target)) await advanceIds(target)
    const counted = await countRows(target)
    if (JSON.stringify(counted) !== JSON.stringify(wanted))
      throw new Error(`The copy has ${JSON.stringify(counted)}, the original ${JSON.stringify(wanted)}.`)
  })
  return wanted
}

/** The target already contains leads. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

async function assertEmpty(target: Database) {
  // Block a replica that already runs on the target.
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
    .limit(BATCH_ROWS)
  for (let rows = await page.execute(); rows.length > 0; ) {
    // Attempts keep their order but get new row numbers.
    yield rows.map(({ last: _last, rowid: _number, ...row }) =>
      // The target's server builds its own search index.
      name === 'leads' ? { ...row, is_indexed: 0 } : row,
    )
    rows = await page.where(key, '>', rows.at(-1)?.last).execute()
  }
}

/** Includes the keys, so that stored hashes and issued form tokens stay valid. Owners have to sign in again. */
async function copySmallTables(from: Database, target: Database) {
  await target.deleteFrom('settings').execute()
  for (const name of ['settings', 'accepted_requests', 'lead_drafts'] as const) {
    const rows = await untyped(from).selectFrom(name).selectAll().execute()
    for (let first = 0; first < rows.length; first += BATCH_ROWS)
      await untyped(target)
        .insertInto(name)
        .values(rows.slice(first, first + BATCH_ROWS))
        .execute()
  }
}

/** Makes new emails and events continue after the copied ids. */
async function advanceIds(target: Database) {
  for (const name of ['outbox', 'lead_events'])
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), greatest(max(id), 1), max(id) is not null)
      from ${sql.table(name)}`.execute(target)
}

/** Counts the rows that must not be lost. */
export async function countRows(db: Database): Promise<Counts> {
  const count = async (name: Table) => {
    const counted = db.selectFrom(name).select(({ fn }) => fn.countAll<number>().as('rows'))
    return (await counted.executeTakeFirstOrThrow()).rows
  }
  return {
    leads: await count('leads'),
    outbox: await count('outbox'),
    outbox_attempts: await count('outbox_attempts'),
    lead_events: await count('lead_events'),
    passkeys: await count('passkeys'),
  }
}

// An SMTP reply may contain a NUL, which PostgreSQL rejects in text.
const withoutNul = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value,
    ]),
  )

const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>
