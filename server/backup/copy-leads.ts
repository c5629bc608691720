import { type Kysely, sql } from 'kysely'
import { count } from '#shared/count.ts'
import { finishCopy } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'

// With this many rows, even the widest table stays below SQLite's limit of 32,766 parameters per
// statement.
const BATCH_ROWS = 500

// Referenced tables come first.
const primaryKeys = {
  leads: 'id',
  lead_texts: 'lead_id',
  outbox: 'id',
  outbox_attempts: 'rowid',
  lead_events: 'id',
  files: 'id',
  passkeys: 'id',
} as const
// Two megabytes.
const PARTS_AT_ONCE = 8

type Table = keyof typeof primaryKeys
type Row = Record<string, unknown>
/** Number of rows by table. */
export type Counts = Record<Counted, number>
type Counted = Exclude<Table, 'lead_texts'> | 'file_parts'

/**
 * Copies everything except temporary data, such as sessions and sign-ins, to an empty database in
 * one transaction, and compares the row counts. Works for SQLite and PostgreSQL. The source must
 * not change during the copy.
 */
export async function copyLeads(from: Database, to: Database): Promise<Counts> {
  const expected = await countRows(from)
  await to.transaction().execute(async (target) => {
    await assertEmpty(target)
    for (const name of Object.keys(primaryKeys) as Table[])
      for await (const rows of pagesOf(from, name))
        await untyped(target).insertInto(name).values(rows.map(withoutNul)).execute()
    await copyParts(from, target)
    await copySmallTables(from, target)
    await finishCopy(target)
    const counted = await countRows(target)
    if (JSON.stringify(counted) !== JSON.stringify(expected))
      throw new Error(
        `The copy does not match the source. Expected: ${describeCounts(expected)}. Found: ${describeCounts(counted)}.`,
      )
  })
  return expected
}

/** The target already contains rows. */
export class NotEmpty extends Error {
  override name = 'NotEmpty'
}

async function assertEmpty(target: Database) {
  const found = Object.entries(await countRows(target)).filter(([, rows]) => rows > 0)
  if (found.length > 0)
    throw new NotEmpty(`The target is not empty: it has ${describeCounts(Object.fromEntries(found))}.`)
}

async function* pagesOf(from: Database, name: Table): AsyncGenerator<Row[]> {
  const key = primaryKeys[name]
  const page = untyped(from)
    .selectFrom(name)
    .selectAll()
    .select(`${key} as last`)
    .orderBy(key)
    .limit(BATCH_ROWS)
  for (let rows = await page.execute(); rows.length > 0; ) {
    // The target assigns its own row ids, and computes lists.
    yield rows.map(({ last: _last, rowid: _number, list: _list, ...row }) => row)
    rows = await page.where(key, '>', rows.at(-1)?.last).execute()
  }
}

/** Copies the bytes of files, a few parts at a time, because each can have 256 KiB. */
async function copyParts(from: Database, target: Database) {
  const page = from.selectFrom('file_parts').selectAll().orderBy('file_id').orderBy('number')
  let last = { file_id: '', number: 0 }
  for (;;) {
    const follows = sql<boolean>`(file_id, number) > (${last.file_id}, ${last.number})`
    const parts = await page.where(follows).limit(PARTS_AT_ONCE).execute()
    const newest = parts.at(-1)
    if (!newest) return
    await target.insertInto('file_parts').values(parts).execute()
    last = newest
  }
}

/**
 * Copies the tables that fit in memory. The secret keys in `settings` keep earlier hashes and form
 * tokens valid.
 */
async function copySmallTables(from: Database, target: Database) {
  await target.deleteFrom('settings').execute()
  for (const name of ['settings', 'lead_drafts'] as const) {
    const rows = await untyped(from).selectFrom(name).selectAll().execute()
    for (let first = 0; first < rows.length; first += BATCH_ROWS)
      await untyped(target)
        .insertInto(name)
        .values(rows.slice(first, first + BATCH_ROWS))
        .execute()
  }
}

export async function countRows(db: Database): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select (select count(*) from leads) as leads, (select count(*) from outbox) as outbox,
      (select count(*) from outbox_attempts) as outbox_attempts, (select count(*) from lead_events) as lead_events,
      (select count(*) from files) as files, (select count(*) from file_parts) as file_parts,
      (select count(*) from passkeys) as passkeys`.execute(db)
  return rows[0] as Counts
}

const rowNames: Record<Counted, [one: string, many?: string]> = {
  leads: ['lead'],
  outbox: ['email'],
  outbox_attempts: ['delivery log line'],
  lead_events: ['history entry', 'history entries'],
  files: ['file'],
  file_parts: ['part of a file', 'parts of files'],
  passkeys: ['passkey'],
}

/** Returns, for example, "3 leads, 1 email, 0 passkeys". */
export const describeCounts = (counts: Partial<Counts>): string =>
  Object.entries(counts)
    .map(([table, rows]) => count(rows, ...rowNames[table as Counted]))
    .join(', ')

// PostgreSQL rejects NUL in text, but an SMTP reply may contain it.
const replaceNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
const withoutNul = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, replaceNul(value)]))

const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>
