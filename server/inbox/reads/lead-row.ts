import type { Selectable } from 'kysely'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import type { Schema } from '../../database/schema.ts'
import { isOpenSuspect } from '../../leads/spam-score.ts'
import { answerStuckSince, hasBouncedReceipt } from '../../outbox/backlog.ts'

const FIRST_WORDS = 160

/** What the emails of a lead say about the person's address. */
export const outboxColumns = [hasBouncedReceipt.as('isBounced'), answerStuckSince.as('stuckSince')] as const

const storedColumns = [
  'id',
  'reference',
  'created_at',
  'first_name',
  'last_name',
  'phone',
  'budget',
  'state',
  'verdict',
  'spam_score',
  'seen_at',
  'due_at',
  'follow_up_on',
  'trouble',
  'version',
  'message',
] as const

/** The columns for one line of a list. */
export const rowColumns = [...storedColumns, ...outboxColumns] as const

type Row = Pick<Selectable<Schema['leads']>, (typeof storedColumns)[number]> & {
  isBounced: boolean | 0 | 1
  stuckSince: string | null
}

export const toLeadRow = (row: Row): LeadRow => ({
  reference: row.reference,
  name: `${row.first_name} ${row.last_name}`,
  budget: row.budget,
  firstWords: firstWords(row.message),
  state: row.state,
  isSuspect: isOpenSuspect(row),
  isUnread: row.seen_at === null,
  receivedAt: row.created_at,
  dueAt: row.due_at,
  followUpOn: row.follow_up_on,
  trouble: row.trouble,
  addressDoubt: row.isBounced ? addressDoubt(row.phone) : null,
  stuckSince: row.stuckSince,
  version: row.version,
})

/** The beginning of a text, on one line. Cuts only between code points: half a surrogate pair is an invalid character. */
function firstWords(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  return letters.length <= FIRST_WORDS
    ? letters.join('')
    : `${letters.slice(0, FIRST_WORDS).join('').trimEnd()}…`
}
