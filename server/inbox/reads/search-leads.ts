import { sql } from 'kysely'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { searchTerms } from '#shared/search-words.ts'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../../leads/reference.ts'
import { toCursor } from './cursor.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'

// How many of the newest leads SQLite looks through without an index, which takes 10 ms.
const SCANNED = 4_000
// A search term is rare if fewer than this many of those leads have it. FTS5, SQLite's full-text index, finds the leads that
// have the rare terms within milliseconds. SQLite then checks each of them for the common terms. At least one in 20
// leads has a common term, so it checks only about 20 leads for each match.
const RARE = SCANNED / 20

/** `before`: only leads with a lower number in the search index. */
type Input = { search: string; before: number | undefined }

/**
 * Finds the leads that have every term of the search, newest first. If the search is the reference of a lead, that lead comes
 * first.
 */
export async function searchLeads(
  db: Database,
  { search, before = Number.MAX_SAFE_INTEGER }: Input,
): Promise<LeadPage> {
  const exact = await findExact(db, search)
  const isFirstPage = before === Number.MAX_SAFE_INTEGER
  const first = isFirstPage && exact ? [exact] : []
  const size = PAGE_SIZE - first.length
  const numbers = await findNumbers(db, searchTerms(search), before, size + 1)
  const matches = await readNumbered(db, numbers.slice(0, size))
  const others = matches.filter(({ id }) => id !== exact?.id)
  const last = numbers[size - 1]
  return {
    leads: [...first, ...others].map(toLeadRow),
    next: last !== undefined && numbers.length > size ? toCursor([String(last), '']) : null,
    isPartial: await hasUnindexed(db),
  }
}

async function hasUnindexed(db: Database): Promise<boolean> {
  const found = await db.selectFrom('leads').select('id').where('is_indexed', '=', 0).limit(1).execute()
  return found.length > 0
}

async function findExact(db: Database, search: string) {
  const reference = readReference(search)
  if (!reference) return undefined
  return db.selectFrom('leads').select(rowColumns).where('reference', '=', reference).executeTakeFirst()
}

/**
 * The numbers of the leads that have all terms, highest first. Terms contain only letters and digits, so putting them
 * into a query between quotes is safe.
 */
async function findNumbers(db: Database, terms: readonly string[], before: number, limit: number) {
  if (terms.length === 0) return []
  return isShared(db) ? findInPostgres(db, terms, before, limit) : findInSqlite(db, terms, before, limit)
}

async function findInPostgres(db: Database, terms: readonly string[], before: number, limit: number) {
  const { rows } = await sql<{ number: number }>`
    select number from lead_index
    where words @@ ${terms.map((term) => `'${term}':*`).join(' & ')}::tsquery and number < ${before}
    order by number desc limit ${limit}`.execute(db)
  return rows.map(({ number }) => number)
}

/**
 * First looks through the newest leads without FTS5, because FTS5 collects every lead that has a term before it returns the
 * first one. That takes 150 ms if most of a million leads have the term. For the same reason, FTS5 looks up only the rare
 * terms, unless all are common.
 */
async function findInSqlite(db: Database, terms: readonly string[], before: number, limit: number) {
  const newest = sql`(select number, words from lead_index where number < ${before}
    order by number desc limit ${sql.lit(SCANNED)})`
  const has = (term: string) => sql<number>`(instr(' ' || some.words, ${` ${term}`}) > 0)`
  const hasAll = (all: readonly string[]) => sql.join([sql`true`, ...all.map(has)], sql` and `)
  const { rows: scanned } = await sql<{ number: number }>`
    select number from ${newest} as some where ${hasAll(terms)} limit ${limit}`.execute(db)
  if (scanned.length === limit) return scanned.map(({ number }) => number)

  const counts = terms.map((term, index) => sql`sum${has(term)} as ${sql.ref(String(index))}`)
  const { rows: counted } = await sql<Record<number, number | null>>`
    select ${sql.join(counts)} from ${newest} as some`.execute(db)
  const rare = terms.filter((_term, index) => (counted[0]?.[index] ?? 0) < RARE)
  const lookedUp = rare.length > 0 ? rare : terms
  const { rows } = await sql<{ number: number }>`
    select number from lead_words cross join lead_index as some on number = lead_words.rowid
    where lead_words match ${lookedUp.map((term) => `"${term}"*`).join(' ')} and lead_words.rowid < ${before}
      and ${hasAll(terms.filter((term) => !lookedUp.includes(term)))}
    order by lead_words.rowid desc limit ${limit}`.execute(db)
  return rows.map(({ number }) => number)
}

async function readNumbered(db: Database, numbers: readonly number[]) {
  if (numbers.length === 0) return []
  return db
    .selectFrom('lead_index')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select(rowColumns)
    .where('number', 'in', numbers)
    .orderBy('number', 'desc')
    .execute()
}
