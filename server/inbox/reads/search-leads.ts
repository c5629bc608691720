import { sql } from 'kysely'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { searchTerms } from '#shared/search-words.ts'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../../leads/reference.ts'
import { toCursor } from './cursor.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'

/** `before`: only leads with a lower number in the search index. */
type Input = { search: string; before: number | undefined }

/** All leads that have every term of the search, newest first; above them, the one whose reference it is. */
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
  }
}

async function findExact(db: Database, search: string) {
  const reference = readReference(search)
  if (!reference) return undefined
  return db.selectFrom('leads').select(rowColumns).where('reference', '=', reference).executeTakeFirst()
}

/** Terms contain only letters and digits, so quotes are safe. */
async function findNumbers(db: Database, terms: readonly string[], before: number, limit: number) {
  if (terms.length === 0) return []
  const query = isShared(db)
    ? sql<{ number: number }>`
        select number from lead_index
        where words @@ ${terms.map((term) => `'${term}':*`).join(' & ')}::tsquery and number < ${before}
        order by number desc limit ${limit}`
    : sql<{ number: number }>`
        select rowid as number from lead_words
        where lead_words match ${terms.map((term) => `"${term}"*`).join(' ')} and rowid < ${before}
        order by rowid desc limit ${limit}`
  const { rows } = await query.execute(db)
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
