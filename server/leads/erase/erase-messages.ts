import type { Selectable } from 'kysely'
import type { Database, Schema, SentFile, StoredMessage } from '../../database/schema.ts'
import type { StoredLead } from '../change/change-lead.ts'
import { beforeReplies } from '../change/mark-lead.ts'
import { sortKey } from '../lists/sort-key.ts'
import { withoutQuotes } from '../messages/message-text.ts'
import { isBetween, isMessage, othersIn } from '../search/senders.ts'
import { updateSearchText } from '../search/written-text.ts'

const BATCH = 100
// A shorter line may be the same by chance.
const MIN_LINE = 20
/** The key of the event that undoes an answer begins with it: see answer-lead.ts. */
const UNDO = 'undo '

type LeadEventRow = Selectable<Schema['lead_events']>
/**
 * `upTo`: messages that the person sent later stay. `at`: so does what an owner has answered after
 * this.
 */
type Times = { upTo: string; at: string }

/**
 * Erases what a person has written about somebody else's lead, and what owners have answered there
 * to that person: the events, the emails about them, and what repeats them, such as quotations.
 * Owners' notes and the words of others stay. Lock the lead first: see `lockOf`. Works on databases
 * that an older version has written. Returns how many messages and emails were erased.
 */
export async function eraseMessages(
  transaction: Database,
  lead: { id: string; email: string },
  address: string,
  { upTo, at }: Times,
): Promise<{ messages: number; emails: number }> {
  const { id } = lead
  const events = await transaction
    .selectFrom('lead_events')
    .selectAll()
    .where('lead_id', '=', id)
    .orderBy('id')
    .execute()
  const others = othersIn(events, lead.email, address)
  const erased = events.filter(
    (event) => event.at <= (isMessage(event) ? upTo : at) && isBetween(event, address, others),
  )
  const messages = erased.filter(isMessage)
  const [first] = messages
  if (!first) return { messages: 0, emails: 0 }
  const keys = new Set(erased.flatMap(({ key }) => (key ? [key] : [])))
  const undone = events.filter(({ key }) => key?.startsWith(UNDO) && keys.has(key.slice(UNDO.length)))
  const gone = new Set([...erased, ...undone])
  const row = await readLead(transaction, id)
  const before = row.state === 'open' ? await beforeReplies(transaction, row) : undefined
  await transaction
    .deleteFrom('lead_events')
    .where(
      'id',
      'in',
      [...gone].map((event) => event.id),
    )
    .execute()
  // Why an answer has failed can be the same for others.
  const written = erased.filter(({ what }) => what !== 'answer_failed')
  const repeats = createRepeats(address, written)
  for (const event of events)
    if (!gone.has(event) && event.id > first.id) await cleanEvent(transaction, event, address, repeats)
  const emails = await eraseEmails(transaction, id, address, {
    keys,
    messageIds: messages.flatMap(messageIdOf),
  })
  await eraseDrafts(transaction, id, repeats)
  await eraseFiles(transaction, gone, keys)
  const isWaiting = (await beforeReplies(transaction, row)) !== undefined
  const cleaning = { address, events, gone, repeats, before: isWaiting ? undefined : before, at }
  await cleanLead(transaction, row, cleaning)
  await updateSearchText(transaction, id)
  return { messages: messages.length, emails }
}

/**
 * Removes people from what owners have sent to them and to others, and what is quoted there.
 * `erasedAt`: when the person with an address was erased; what was stored later stays. `named`:
 * only looks at messages with this text.
 */
export async function eraseRecipients(
  db: Database,
  erasedAt: (address: string) => string | undefined,
  named = '',
): Promise<void> {
  const sent = db
    .selectFrom('lead_events')
    .select(['id', 'at', 'received'])
    .where('what', '=', 'answered_by_mail')
    .where('received', 'is not', null)
    // Wildcards in an address only find more.
    .where('received', 'like', `%${named}%`)
    .orderBy('id')
    .limit(BATCH)
  for (let last = 0, isLast = false; !isLast; ) {
    const rows = await sent.where('id', '>', last).execute()
    for (const { id, at, received } of rows) {
      const message: StoredMessage = JSON.parse(String(received))
      const to = message.to?.filter((address) => at > (erasedAt(address) ?? ''))
      if (!to || to.length === message.to?.length) continue
      const cleaned = JSON.stringify({ ...message, to, quotes: [] } satisfies StoredMessage)
      await db.updateTable('lead_events').set({ received: cleaned }).where('id', '=', id).execute()
    }
    last = Number(rows.at(-1)?.id)
    isLast = rows.length < BATCH
  }
}

type Repeats = (text: string | null) => boolean

/**
 * Creates a function that says whether a text has the address, is one that is erased, or has a line
 * of it.
 */
function createRepeats(address: string, erased: readonly LeadEventRow[]): Repeats {
  const texts = erased.flatMap(({ text }) => (text ? [text] : []))
  const parts = new Set(texts.flatMap((text) => [text.trim(), ...linesOf(text)]))
  return (text) =>
    text !== null &&
    (text.toLowerCase().includes(address) || [text.trim(), ...linesOf(text)].some((part) => parts.has(part)))
}

/** The long lines of a text, also quoted ones. */
const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/^[>\s]+/, '').trimEnd())
    .filter((line) => line.length >= MIN_LINE)

const messageIdOf = ({ received }: LeadEventRow): string[] =>
  received ? [(JSON.parse(received) as StoredMessage).messageId] : []

/** Removes the person from a later event that stays. */
async function cleanEvent(transaction: Database, event: LeadEventRow, address: string, repeats: Repeats) {
  const set: Partial<LeadEventRow> = {}
  // Undoing the event would bring it back.
  if (repeats(event.before)) set.before = null
  // It quotes a mail server.
  if (event.what === 'answer_failed' && repeats(event.text)) set.text = null
  if (event.received) {
    // What is quoted has been said before, perhaps by the person.
    const stored: StoredMessage = JSON.parse(event.received)
    const { to, ...message } = stored
    const others = to?.filter((one) => one !== address)
    const received: StoredMessage = { ...message, quotes: [], ...(others && { to: others }) }
    set.received = JSON.stringify(received)
    const isErased = (line: string) =>
      line.toLowerCase().includes(address) || (line.trim().length >= MIN_LINE && repeats(line))
    set.text = withoutQuotes(event.text ?? '', stored.quotes, isErased)
  }
  if (Object.keys(set).length === 0) return
  await transaction.updateTable('lead_events').set(set).where('id', '=', event.id).execute()
}

type Erased = { keys: Set<string>; messageIds: readonly string[] }

/**
 * Deletes the emails to the person and about the erased messages. Others no longer name these.
 * Returns how many.
 */
async function eraseEmails(transaction: Database, id: string, address: string, { keys, messageIds }: Erased) {
  const emails = await transaction
    .selectFrom('outbox')
    .select(['id', 'recipient', 'content'])
    .where('lead_id', '=', id)
    .execute()
  let deleted = 0
  for (const { id, recipient, content } of emails) {
    const email = content === null ? {} : JSON.parse(String(content))
    const people = [recipient, email.to, email.address].map((one) => String(one).toLowerCase())
    if (people.includes(address) || keys.has(email.key)) {
      await transaction.deleteFrom('outbox').where('id', '=', id).execute()
      deleted++
      continue
    }
    const references: string[] = email.references ?? []
    const others = references.filter((one) => !messageIds.includes(one))
    if (others.length === references.length) continue
    const changed = JSON.stringify({ ...email, references: others })
    await transaction.updateTable('outbox').set({ content: changed }).where('id', '=', id).execute()
  }
  return deleted
}

async function eraseDrafts(transaction: Database, id: string, repeats: Repeats) {
  const drafts = transaction.selectFrom('lead_drafts').select(['owner', 'text']).where('lead_id', '=', id)
  for (const { owner, text } of await drafts.execute())
    if (repeats(text))
      await transaction
        .deleteFrom('lead_drafts')
        .where((draft) => draft.and({ lead_id: id, owner }))
        .execute()
}

/**
 * Deletes the files of erased answers, also undone ones, unless they went to somebody else, too.
 */
async function eraseFiles(transaction: Database, gone: Iterable<LeadEventRow>, keys: Set<string>) {
  const sent = [...gone].flatMap(({ files }): SentFile[] => JSON.parse(files ?? '[]'))
  if (sent.length === 0) return
  const ids = sent.map(({ id }) => id)
  await transaction
    .deleteFrom('files')
    .where('id', 'in', ids)
    .where(({ or, eb }) => or([eb('answer_key', 'is', null), eb('answer_key', 'in', [...keys])]))
    .execute()
}

const readLead = (transaction: Database, id: string) =>
  transaction.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

type Cleaning = {
  address: string
  events: LeadEventRow[]
  gone: Set<LeadEventRow>
  repeats: Repeats
  /** What the lead was before the erased messages, if nobody else waits. */
  before: Awaited<ReturnType<typeof beforeReplies>>
  at: string
}

/**
 * Removes what the lead's row says about an erased message or answer. A lead that only the erased
 * person had opened again is answered.
 */
async function cleanLead(
  transaction: Database,
  lead: StoredLead,
  { address, events, gone, repeats, before, at }: Cleaning,
) {
  const { trouble, replied_at, sort_key, version } = lead
  const newest = (...kinds: LeadEventRow['what'][]) => events.findLast(({ what }) => kinds.includes(what))
  const isGone = (event: LeadEventRow | undefined) => event !== undefined && gone.has(event)
  // Earlier versions did not store to whom an answer has failed.
  const failed = newest('answer_failed')?.recipient
  const isAnswerGone = failed ? failed === address : isGone(newest('answer', 'answered_by_mail'))
  const set = {
    replied_at: isGone(newest('reply')) ? null : replied_at,
    trouble: isAnswerGone || repeats(trouble) ? null : trouble,
  }
  const isAnswered = before?.state === 'answered' && set.trouble === null
  const answered = isAnswered ? { ...before, follow_up_at: lead.follow_up_at ?? before.follow_up_at } : {}
  const changed = { ...lead, ...set, ...answered }
  await transaction
    .updateTable('leads')
    .set({ ...set, ...answered, version: isAnswered ? version + 1 : version })
    .set('sort_key', set.trouble ? sort_key : sortKey(changed, isAnswered ? at : sort_key))
    .where('id', '=', lead.id)
    .execute()
}
