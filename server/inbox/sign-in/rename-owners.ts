import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import type { InboxDeps } from '../inbox-deps.ts'

const ofDrafts = ['files', 'lead_drafts']
const tables = ['sessions', 'passkeys', 'sign_ins', ...ofDrafts]

/**
 * Writes the addresses of owners as MAIL_TO does, if only the case of letters differs. From then
 * on, they can be compared letter by letter. The first owner gets the drafts of former ones.
 */
export async function renameOwners({ db, env }: Pick<InboxDeps, 'db' | 'env'>): Promise<void> {
  const [first = ''] = env.MAIL_TO
  const owners = env.MAIL_TO.map((owner) => owner.toLowerCase())
  for (const owner of env.MAIL_TO) for (const table of tables) await rename(db, table, owner, owner)
  const files = db.selectFrom('files').select('owner').where('in_draft', '=', 1)
  for (const { owner } of await db.selectFrom('lead_drafts').select('owner').union(files).execute())
    if (!owners.includes(owner.toLowerCase()))
      for (const table of ofDrafts) await rename(db, table, owner, first)
}

async function rename(db: Database, table: string, from: string, to: string): Promise<void> {
  // An owner has at most one draft of a lead, so two of them keep their names, and their files.
  const isOnly = sql`not exists (select 1 from lead_drafts as other
    where lower(other.owner) in (${to.toLowerCase()}, ${from.toLowerCase()})
      and other.owner <> ${sql.ref(`${table}.owner`)}
      and other.lead_id = ${sql.ref(`${table}.lead_id`)})`
  await sql`update ${sql.table(table)} set owner = ${to}
    where lower(owner) = ${from.toLowerCase()} and owner <> ${to}
      and ${ofDrafts.includes(table) ? isOnly : sql`true`}`.execute(db)
}
