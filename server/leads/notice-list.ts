import { sql } from 'kysely'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadEvent } from '#shared/inbox/lead.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { count } from '../count.ts'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { buttons, emailBody, heading, type Person, paragraph, people } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import { domainOf, type Email } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { firstWords } from './first-words.ts'
import { hasWords, type Lead, toLead } from './lead-store.ts'
import { LIST_EVERY_MS } from './mail-budget.ts'
import { lastAnswerId } from './reply-notices.ts'
import { SUSPECT_FROM } from './spam-score.ts'

// A longer list would be too large for an email, and nobody would read it. The others are in the next list.
const MAX_LISTED = 1_000
// Longer names are cut off: a name and a company can have 400 characters together.
const MAX_NAME = 80
// Enough for what `firstWords` shows, whatever white space is between the words.
const MAX_READ = 1_000

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
 * Creates a function, to be called every minute, that tells the owners about the leads with a request
 * or a reply that got no notice: one email names them all.
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

/** What a list says about a lead. `message`: what the person wrote since the last answer. */
export type News = { lead: Lead; isOpen: boolean; message: { text: string; who: string } | undefined }

/** What is still news of a list, in its order: open leads, and messages that nobody has read. */
export async function readListed(db: Database, { references }: NoticeListContent): Promise<News[]> {
  const newest = (what: LeadEvent['what']) => sql<number>`coalesce((select max(id) from lead_events
    where lead_id = leads.id and what = ${what}), 0)`
  const rows = await db
    .selectFrom('leads')
    .selectAll()
    .select([
      lastAnswerId.as('answer'),
      newest('reply').as('reply'),
      newest('automatic_reply').as('automatic'),
    ])
    .where('reference', 'in', references)
    .where('state', '<>', 'spam')
    .execute()
  // What a program has sent counts only if it has marked the lead as unread.
  const messageOf = ({ answer, reply, automatic, seen_at }: (typeof rows)[number]) =>
    reply > answer ? reply : automatic > answer && seen_at === null ? automatic : undefined
  const messages = await readMessages(
    db,
    rows.flatMap((row) => messageOf(row) ?? []),
  )
  const news = new Map(
    rows.map((row) => {
      const message = messages.get(messageOf(row) ?? 0)
      return [row.reference, { lead: toLead(row), isOpen: row.state === 'open', message }]
    }),
  )
  return references
    .flatMap((reference) => news.get(reference) ?? [])
    .filter(({ isOpen, message }) => isOpen || message)
}

/** The beginnings of messages, by the IDs of their events. */
async function readMessages(db: Database, ids: readonly number[]) {
  const messages = await db
    .selectFrom('lead_events')
    .select(['id', 'who', sql<string>`substr(coalesce(text, ''), 1, ${MAX_READ})`.as('text')])
    // PostgreSQL rejects an empty list.
    .where('id', 'in', [0, ...ids])
    .execute()
  return new Map(messages.map((message) => [message.id, message]))
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

/** Tells an owner about several leads at once. */
export function noticeListEmail(
  news: readonly News[],
  { at }: NoticeListContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Message {
  const inboxUrl = hasInbox ? siteUrl + inboxPath : undefined
  const replies = news.filter(({ message }) => message).length
  const requests = news.length - replies
  const subject = [
    ...(requests > 0 ? [count(requests, 'more request')] : []),
    ...(replies > 0 ? [count(replies, 'more reply', 'more replies')] : []),
  ].join(' and ')
  return {
    ...automatic(mailFrom, email),
    subject: `${subject} at ${new URL(siteUrl).host}`,
    date: new Date(at),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        paragraph('There were too many for an email each, so this one names them.'),
        people(news.map((one) => describe(one, inboxUrl))),
        inboxUrl
          ? buttons([{ label: 'Open the inbox', url: inboxUrl }])
          : paragraph('Read them with "leads list".', 'quiet'),
      ],
      footer: [siteUrl],
    }),
  }
}

function describe({ lead, isOpen, message }: News, inboxUrl: string | undefined): Person {
  const { name, url } = describePerson(lead, inboxUrl)
  const details = [...sender(lead, message), ...standing(lead, isOpen)]
  return {
    name: message ? `${name} wrote again` : name,
    url,
    details: `${details.join('. ')} (${lead.reference})`,
    words: message && hasWords(lead) ? firstWords(message.text) : '',
  }
}

const sender = (lead: Lead, message: News['message']): string[] =>
  message && message.who !== lead.email.toLowerCase() && hasWords(lead)
    ? [`From ${message.who}, not the address of the request`]
    : []

function standing({ spam, dueAt }: Lead, isOpen: boolean): string[] {
  if (spam.isSuspect) return [`Suspected spam: ${spam.reasons.join('; ')}`]
  return [isOpen ? `Reply promised by ${officeTimeInWords(dueAt)}` : 'Not read yet']
}
