import { setImmediate } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'
import { parseReasons } from '../leads/spam-score.ts'

export const deliveries = ['delivered', 'waiting', 'failed'] as const
export type LeadFilter = {
  since?: Date | undefined
  state?: (typeof deliveries)[number] | undefined
  /** Found in any field, whatever the case and the accents. */
  search?: string | undefined
}

type LeadRow = Selectable<Schema['leads']>
type AttemptRecord = Omit<Selectable<Schema['outbox_attempts']>, 'outbox_id' | 'rowid'>
type MailRecord = Omit<Selectable<Schema['outbox']>, 'id' | 'lead_id'> & { flight: AttemptRecord[] }

/** A lead with everything that is stored about it: what `--json` shows of it, everywhere. */
export type LeadRecord = Omit<LeadRow, 'spam_reasons'> & {
  spam_reasons: string[]
  delivery: 'no mail' | (typeof deliveries)[number]
  delivered_at: string | null
  mails: MailRecord[]
}

/** Read page by page, for a read that stays open (an export into a pager) would keep the server's log from being freed. */
export const PAGE_SIZE = 100

/** The leads that the filter lets through, the newest first, in constant memory however many there are. */
export async function* readLeads(
  db: Database,
  filter: LeadFilter = {},
  pageSize = PAGE_SIZE,
): AsyncGenerator<LeadRecord> {
  const wanted = fold(filter.search ?? '')
  let last: LeadRow | undefined
  do {
    const rows = await leadPage(db, filter, last, pageSize).execute()
    yield* await addMails(db, wanted ? rows.filter((row) => searched(row).includes(wanted)) : rows, filter)
    last = rows.length === pageSize ? rows.at(-1) : undefined
    // better-sqlite3 never waits: without a turn of the event loop, no signal is heard and no statement is freed.
    await setImmediate()
  } while (last)
}

/** One lead, or undefined. */
export async function findLead(db: Database, reference: string): Promise<LeadRecord | undefined> {
  const rows = await db.selectFrom('leads').selectAll().where('reference', '=', reference).execute()
  return (await addMails(db, rows))[0]
}

/** The query of one page, behind the last row of the page before. */
export function leadPage(
  db: Database,
  { since, state }: LeadFilter,
  after: LeadRow | undefined,
  size: number,
) {
  let query = db
    .selectFrom('leads')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.created_at}, ${after.id})`)
  if (since) query = query.where('created_at', '>=', since.toISOString())
  // Few are open, and each kind has an index of its own; whether it is this lead's state is looked at afterwards.
  if (state === 'failed')
    query = query.where(
      sql<boolean>`id in (select lead_id from outbox where state = 'failed' and kind = 'owner_notice')`,
    )
  if (state === 'waiting')
    query = query.where(
      sql<boolean>`id in (select lead_id from outbox where state in ('queued', 'sending') and kind not in ('visitor_receipt', 'alert') and kind = 'owner_notice')`,
    )
  return query
}

async function addMails(db: Database, rows: LeadRow[], { state }: LeadFilter = {}): Promise<LeadRecord[]> {
  if (rows.length === 0) return []
  const { rows: overviews } = await sql<Pick<LeadRecord, 'reference' | 'delivery' | 'delivered_at'>>`
    select reference, delivery, delivered_at from lead_overview
    where reference in (${sql.join(rows.map(({ reference }) => reference))})`.execute(db)
  const overviewOf = new Map(overviews.map((overview) => [overview.reference, overview]))
  const mailsOf = await readMails(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ spam_reasons, ...row }) => {
    const overview = overviewOf.get(row.reference)
    // Erased since its page was read, or in another state than is asked for.
    if (!overview || (state && overview.delivery !== state)) return []
    return { ...row, spam_reasons: parseReasons(spam_reasons), ...overview, mails: mailsOf.get(row.id) ?? [] }
  })
}

async function readMails(db: Database, leadIds: string[]): Promise<Map<string, MailRecord[]>> {
  const mails = await db
    .selectFrom('outbox')
    .selectAll()
    .where('lead_id', 'in', leadIds)
    .orderBy('id')
    .execute()
  const attempts = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .where('lead_id', 'in', leadIds)
    .orderBy('at')
    .orderBy('outbox_attempts.rowid')
    .select(['outbox_id', 'at', 'outcome', 'smtp_code', 'response'])
    .execute()
  const attemptsOf = Map.groupBy(attempts, ({ outbox_id }) => outbox_id)
  const records = mails.map(({ id, lead_id, ...mail }) => ({
    leadId: String(lead_id),
    mail: { ...mail, flight: (attemptsOf.get(id) ?? []).map(({ outbox_id: _, ...attempt }) => attempt) },
  }))
  const byLead = Map.groupBy(records, ({ leadId }) => leadId)
  return new Map([...byLead].map(([id, of]) => [id, of.map(({ mail }) => mail)]))
}

/** Text as it is searched: "MÜLLER", "müller" and "Muller" are one. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const searched = (row: LeadRow) =>
  fold(
    [
      row.reference,
      `${row.first_name} ${row.last_name}`,
      row.email,
      row.phone,
      row.company,
      row.website,
      row.message,
    ].join('\n'),
  )
