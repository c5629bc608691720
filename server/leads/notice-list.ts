import { sql } from 'kysely'
import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { count } from '../count.ts'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { buttons, emailBody, heading, paragraph, people } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import { domainOf, type Email } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type Lead, toLead } from './lead-store.ts'
import { SUSPECT_FROM } from './spam-score.ts'

// Below an hour, but long enough that the lists to two owners are only a fifth of 300 emails a day.
const LIST_EVERY_MS = 45 * 60_000
// A longer list would be too large for an email, and nobody would read it. The others are in the next list.
const MAX_LISTED = 1_000
// Longer names are cut off: a name and a company can have 400 characters together.
const MAX_NAME = 80

/** The references of the leads that a list names. Names are read when it is sent, so the database doesn't have them twice. */
export type NoticeListContent = { at: string; references: string[] }

type Deps = {
  db: Database
  mailFrom: MailAddress
  mailTo: readonly string[]
  now: () => Date
  onQueued: () => void
}

/**
 * Creates a function, to be called every minute, that tells the owners about the leads for which the mail budget had no room:
 * one email names them all.
 */
export function createNoticeLists({ db, mailFrom, mailTo, now, onQueued }: Deps) {
  return async function listNotices(): Promise<void> {
    // Without this, the transaction would take the database's only write lock every minute.
    if (!(await selectAwaiting(db).limit(1).executeTakeFirst())) return
    const isQueued = await db.transaction().execute(async (transaction) => {
      // Other replicas run this job, too.
      await lockNames(transaction, ['notice list'])
      const at = now()
      const lastAt = await readNote<string>(transaction, 'notice_list_at')
      const age = at.getTime() - Date.parse(lastAt ?? '')
      // A time from the future comes from a wrong clock.
      if (age >= 0 && age < LIST_EVERY_MS) return false

      const leads = await selectAwaiting(transaction).execute()
      const references = leads.map(({ reference }) => reference)
      // They may just have been erased.
      if (references.length === 0) return false
      const content: NoticeListContent = { at: at.toISOString(), references }
      const emails = mailTo.map((recipient, index) => ({
        kind: 'notice_list' as const,
        recipient,
        messageId: `<list-${at.getTime()}.${index}@${domainOf(mailFrom)}>`,
        content: JSON.stringify(content),
      }))
      await enqueue(transaction, emails, at)
      await transaction
        .updateTable('leads')
        .set({ awaits_list: 0 })
        .where('reference', 'in', references)
        .execute()
      await writeNote(transaction, 'notice_list_at', at.toISOString())
      return true
    })
    if (isQueued) onQueued()
  }
}

// How many leads the network of a lead has sent in the last day: see `forgetClients`.
const sentByNetwork = sql`(select count(*) from leads as others where others.client = leads.client)`

/**
 * The leads for the next list. First come those whose networks have sent the fewest, because a stranger's flood must not hide
 * them. Suspected spam comes last.
 */
const selectAwaiting = (db: Database) =>
  db
    .selectFrom('leads')
    .select('reference')
    .where('awaits_list', '=', 1)
    .orderBy(sql`spam_score >= ${SUSPECT_FROM}`)
    .orderBy(sentByNetwork)
    .orderBy('id')
    .limit(MAX_LISTED)

/** The leads of a list that are still open, in its order. */
export async function readListed(db: Database, { references }: NoticeListContent): Promise<Lead[]> {
  const rows = await db
    .selectFrom('leads')
    .selectAll()
    .where('reference', 'in', references)
    .where('state', '=', 'open')
    .execute()
  const leads = new Map(rows.map((row) => [row.reference, toLead(row)]))
  return references.flatMap((reference) => leads.get(reference) ?? [])
}

/** A person's name, with a link to the lead. */
export const describePerson = (
  { reference, firstName, lastName, company }: Lead,
  inboxUrl: string | undefined,
) => ({
  name: [`${firstName} ${lastName}`, company].filter(Boolean).join(', ').slice(0, MAX_NAME),
  url: inboxUrl && `${inboxUrl}/${reference}`,
})

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

/** Tells an owner about several leads at once. `leads` are those that are still open. */
export function noticeListEmail(
  leads: readonly Lead[],
  { at }: NoticeListContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Message {
  const inboxUrl = hasInbox ? siteUrl + inboxPath : undefined
  const subject = count(leads.length, 'more request')
  const listed = leads.map((lead) => ({ ...describePerson(lead, inboxUrl), details: describe(lead) }))
  return {
    ...automatic(mailFrom, email),
    subject: `${subject} at ${new URL(siteUrl).host}`,
    date: new Date(at),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        paragraph('There were too many requests for an email each, so this one names them.'),
        people(listed),
        inboxUrl
          ? buttons([{ label: 'Open the inbox', url: inboxUrl }])
          : paragraph('Read them with "leads list".', 'quiet'),
      ],
      footer: [siteUrl],
    }),
  }
}

const describe = (lead: Lead): string =>
  lead.spam.isSuspect
    ? `Suspected spam: ${lead.spam.reasons.join('; ')} (${lead.reference})`
    : `Reply promised by ${officeTimeInWords(lead.dueAt)} (${lead.reference})`
