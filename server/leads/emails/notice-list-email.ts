import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { count } from '#shared/count.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../../database/schema.ts'
import { buttons, emailBody, heading, type ListedPerson, paragraph, people } from '../../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../../mail/mailer.ts'
import { firstWords } from '../first-words.ts'
import { hasWords, type Lead, toLead } from '../lead-store.ts'
import { MAX_NAMED, type NoticeListContent } from './notice-list.ts'
import { isUnproven, lastSettledId } from './reply-notices.ts'
import { type Author, andEarlier, fromElsewhere } from './written-words.ts'

// Longer names are cut off: a name and a company can have 400 characters together.
const MAX_NAME = 80
// Who has written about a lead, the most important first. A longer list names fewer of each lead.
const MAX_SENDERS = 5
// Bounds the work for a lead with a flood of messages: only its newest events are read.
const MAX_EVENTS = 1_000
// Enough for what `firstWords` shows, whatever white space is between the words.
const MAX_READ = 1_000

/**
 * What a sender has written that is not settled: the first words of the newest message, and how
 * many others there are. `isTheirs`: it came from the address of the request.
 */
type Writing = Author & { text: string; others: number }

/**
 * What a list says about a lead. `writings`: by each sender, the lead's person first. `unnamed`:
 * how many more senders there are.
 */
type News = { lead: Lead; isOpen: boolean; writings: Writing[]; unnamed: number }

/**
 * What is still news of a list, in its order: open leads, and messages that nobody has read. Reads
 * the messages of one lead at a time, so that the server can answer requests between floods of
 * them.
 */
export async function readListed(db: Database, { references }: NoticeListContent): Promise<News[]> {
  const rows = await db.selectFrom('leads').selectAll().where('reference', 'in', references).execute()
  const found = new Map(rows.map((row) => [row.reference, row]))
  const maxSenders = Math.max(1, Math.min(MAX_SENDERS, Math.floor(MAX_NAMED / references.length)))
  const news: News[] = []
  for (const row of references.flatMap((reference) => found.get(reference) ?? [])) {
    await nextTurn()
    const written = await readWritten(db, row.id, maxSenders)
    const writings = written.map(({ text, who, messages }) => {
      return { text: firstWords(text), who, isTheirs: who === row.email.toLowerCase(), others: messages - 1 }
    })
    const isOpen = row.state === 'open'
    const unnamed = (written[0]?.senders ?? 0) - written.length
    if (isOpen || writings.length > 0) news.push({ lead: toLead(row), isOpen, writings, unnamed })
  }
  return news
}

const lastVerdictId = sql`(select max(verdicts.id) from lead_events as verdicts
  where verdicts.lead_id = waiting_id and verdicts.what = 'verdict')`

/**
 * What senders have written about a lead that is not settled. What a program has sent counts only
 * if it has marked the lead as unread. About spam, what came after the verdict counts, in the same
 * way. What anybody can have forged stands apart from what the same sender has surely written, and
 * after it, because it must not hide that.
 */
const readWritten = (db: Database, leadId: string, maxSenders: number) =>
  db
    .with(
      // Otherwise, a database could look for the last answer again for each event.
      (waiting) => waiting('waiting').materialized(),
      (query) =>
        query
          .selectFrom('leads')
          .select(['leads.id as waiting_id', 'email', 'state', 'seen_at', lastSettledId.as('settled')])
          .select(
            sql<number>`coalesce((select id from lead_events where lead_id = leads.id
              order by id desc limit 1 offset ${MAX_EVENTS - 1}), 0)`.as('oldest'),
          )
          .where('id', '=', leadId),
    )
    .with('written', (query) =>
      query
        .selectFrom('waiting')
        .innerJoin('lead_events', 'lead_id', 'waiting_id')
        .whereRef('lead_events.id', '>', 'settled')
        .whereRef('lead_events.id', '>=', 'oldest')
        .where(sql<boolean>`(what = 'reply' or what = 'automatic_reply' and seen_at is null)`)
        .where(
          sql<boolean>`(state <> 'spam' or what = 'automatic_reply' and lead_events.id > ${lastVerdictId})`,
        )
        .select(['email', 'who', isUnproven.as('unproven')])
        .select(({ fn }) => [fn.max('lead_events.id').as('newest'), fn.countAll<number>().as('messages')])
        .groupBy(['email', 'who', 'unproven']),
    )
    .with('ranked', (query) =>
      query
        .selectFrom('written')
        .select(['newest', 'messages'])
        .select([
          sql<number>`count(*) over ()`.as('senders'),
          sql<number>`row_number() over (order by
            case when who = lower(email) then 0 else 1 end, unproven, newest desc)`.as('place'),
        ]),
    )
    .selectFrom('ranked')
    .innerJoin('lead_events', 'lead_events.id', 'newest')
    .select(['senders', 'messages', 'who'])
    .select(sql<string>`substr(coalesce(text, ''), 1, ${MAX_READ})`.as('text'))
    .where('place', '<=', maxSenders)
    .orderBy('place')
    .execute()

/** A person's name, with a link to the lead. */
export const describePerson = (
  { reference, firstName, lastName, company }: Lead,
  inboxUrl: string | undefined,
) => ({
  name: firstWords([`${firstName} ${lastName}`, company].filter(Boolean).join(', '), MAX_NAME),
  url: inboxUrl && `${inboxUrl}/${reference}`,
})

/** Tells an owner about several leads at once. */
export function noticeListEmail(
  news: readonly News[],
  { at }: NoticeListContent,
  email: Envelope,
  { mailFrom, siteUrl, hasInbox }: Sender & { hasInbox: boolean },
): Message {
  const inboxUrl = hasInbox ? siteUrl + inboxPath : undefined
  const replies = news.reduce((sum, { writings }) => sum + writings.length, 0)
  const requests = news.filter(({ writings }) => writings.length === 0).length
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
        paragraph('This email names what got no email of its own.'),
        people(news.flatMap((one) => describe(one, inboxUrl))),
        inboxUrl
          ? buttons([{ label: 'Open the inbox', url: inboxUrl }])
          : paragraph('Read them with "leads list".', 'quiet'),
      ],
      footer: [siteUrl],
    }),
  }
}

/** A lead with a request, or each sender of messages about it. */
function describe({ lead, isOpen, writings, unnamed }: News, inboxUrl: string | undefined): ListedPerson[] {
  const { name, url } = describePerson(lead, inboxUrl)
  const detailsOf = (details: string[]) =>
    `${[...details, ...standing(lead, isOpen)].join('. ')} (${lead.reference})`
  const subject = hasWords(lead) ? name : 'a visitor'
  if (writings.length === 0) return [{ name, url, details: detailsOf([]) }]
  return writings.map((writing, index) => {
    const isLast = index === writings.length - 1
    const author = hasWords(lead) ? writing : { ...writing, isTheirs: true }
    const more = isLast && unnamed > 0 ? [`And ${count(unnamed, 'more sender')}`] : []
    return {
      name: writing.isTheirs ? `${name} wrote again` : `A message about the request of ${subject}`,
      url,
      details: detailsOf([...fromElsewhere(author), ...more]),
      words: hasWords(lead) ? writing.text : '',
      more: andEarlier(writing.others),
    }
  })
}

function standing({ spam, dueAt }: Lead, isOpen: boolean): string[] {
  if (spam.isSuspect) return [isOpen ? `Suspected spam: ${spam.reasons.join('; ')}` : 'Marked as spam']
  return [isOpen ? `Reply promised by ${officeTimeInWords(dueAt)}` : 'Not read yet']
}
