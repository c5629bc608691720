import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/**
 * Those of the addresses, in lower case, from which somebody has sent a request, or an email that
 * belongs to one. Reads two indexes, so it's fast for many addresses.
 */
export async function knownSenders(db: Database, addresses: readonly string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set()
  const leads = db
    .selectFrom('leads')
    .select(sql<string>`lower(email)`.as('address'))
    .where(sql<boolean>`lower(email) in (${sql.join(addresses)})`)
    .where('state', '<>', 'spam')
  const messages = db
    .selectFrom('lead_events')
    .select('who as address')
    .where('who', 'in', addresses)
    .where('received', 'is not', null)
  const known = await leads.union(messages).execute()
  return new Set(known.map(({ address }) => address))
}
