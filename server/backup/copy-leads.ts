import { type Kysely, sql } from 'kysely'
import { count } from '#shared/count.ts'
import { finishCopy } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { OperatorError } from '../errors/error-facts.ts'

// With this many rows, even the widest table stays below SQLite's limit of 32,766 parameters per
// statement.
const BATCH_ROWS = 500
// A part has at most 256 KiB.
const PARTS_AT_ONCE = 8

// The columns that identify a row. Referenced tables come first. The secret keys in `settings` keep
// earlier hashes and form tokens valid.
const tables = {
  settings: ['name'],
  leads: ['id'],
  lead_texts: ['lead_id'],
  lead_drafts: ['lead_id', 'owner'],
  outbox: ['id'],
  outbox_attempts: ['rowid'],
  lead_events: ['id'],
  files: ['id'],
  file_parts: ['file_id', 'number'],
  passkeys: ['id'],
}

type Table = keyof typeof tables
type Row = Record<string, unknown>
/** Number of rows by table. */
type Counts = Record<string, number>

/**
 * Copies everything except temporary data, such as sessions and sign-ins, to an empty database in
 * one transaction, and compares the row counts. Works for SQLite and PostgreSQL. The source must
 * not change during the copy. Returns how many rows were copied.
 */
export async function copyLeads(from: Database, to: Database): Promise<Counts> {
  const expected = await countRows(from)
  return to.transaction().execute(async (target) => {
    await assertEmpty(target)
    // A new database has its own keys.
    await target.deleteFrom('settings').execute()
    for (const name of Object.keys(tables) as Table[])
      for await (const rows of pagesOf(from, name))
        await untyped(target).insertInto(name).values(rows.map(withoutNul)).execute()
    await finishCopy(target)
    const counted = await countRows(target)
    if (JSON.stringify(counted) !== JSON.stringify(expected))
      throw new Error(
        `The copy does not match the source. Expected: ${describeCounts(expected)}. Found: ${describeCounts(counted)}.`,
      )
    return counted
  })
}

async function assertEmpty(target: Database) {
  const found = Object.entries(await countRows(target)).filter(([, rows]) => rows > 0)
  if (found.length > 0)
    throw new OperatorError(
      `Nothing was copied. The target is not empty: it has ${describeCounts(Object.fromEntries(found))}.`,
    )
}

async function* pagesOf(from: Database, name: Table): AsyncGenerator<Row[]> {
  const key = tables[name]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const page = untyped(from)
    .selectFrom(name)
    .selectAll()
    .select(key)
    .orderBy(columns)
    .limit(name === 'file_parts' ? PARTS_AT_ONCE : BATCH_ROWS)
  for (let rows = await page.execute(); rows.length > 0; ) {
    // The target assigns its own row ids, and computes lists.
    yield rows.map(({ rowid: _number, list: _list, ...row }) => row)
    const last = key.map((column) => rows.at(-1)?.[column])
    rows = await page.where(sql<boolean>`(${columns}) > (${sql.join(last)})`).execute()
  }
}

const rowNames: Record<string, [one: string, many?: string]> = {
  leads: ['lead'],
  outbox: ['email'],
  outbox_attempts: ['delivery log line'],
  lead_events: ['history entry', 'history entries'],
  files: ['file'],
  file_parts: ['part of a file', 'parts of files'],
  passkeys: ['passkey'],
}

export async function countRows(db: Database): Promise<Counts> {
  const counts: Counts = {}
  for (const name of Object.keys(rowNames)) {
    const rows = untyped(db)
      .selectFrom(name)
      .select(({ fn }) => fn.countAll<number>().as('count'))
    counts[name] = (await rows.executeTakeFirstOrThrow()).count
  }
  return counts
}

/** Returns, for example, "3 leads, 1 email, 0 passkeys". */
export const describeCounts = (counts: Counts): string =>
  Object.entries(counts)
    .map(([table, rows]) => count(rows, ...(rowNames[table] ?? [table])))
    .join(', ')

// PostgreSQL rejects NUL in text, but an SMTP reply may contain it.
const replaceNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
const withoutNul = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, replaceNul(value)]))

const untyped = (db: Database) => db as unknown as Kysely<Record<string, Row>>
