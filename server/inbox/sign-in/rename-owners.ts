import { sql } from 'kysely'
import type { InboxDeps } from '../inbox-deps.ts'

const tables = ['sessions', 'passkeys', 'sign_ins', 'files', 'lead_drafts'] as const

/**
 * Writes the addresses of owners as MAIL_TO does, if only the case of letters differs. From then
 * on, they can be compared letter by letter.
 */
export async function renameOwners({ db, env }: Pick<InboxDeps, 'db' | 'env'>): Promise<void> {
  for (const owner of env.MAIL_TO)
    for (const table of tables) {
      // An owner has at most one draft of a lead, so two of them keep their names, and their files.
      const isOnly = sql`not exists (select 1 from lead_drafts as other
        where lower(other.owner) = ${owner.toLowerCase()} and other.owner <> ${sql.ref(`${table}.owner`)}
          and other.lead_id = ${sql.ref(`${table}.lead_id`)})`
      await sql`update ${sql.table(table)} set owner = ${owner}
        where lower(owner) = ${owner.toLowerCase()} and owner <> ${owner}
          and ${table === 'files' || table === 'lead_drafts' ? isOnly : sql`true`}`.execute(db)
    }
}
