import { sql } from 'kysely'
import { filesInWords } from '#shared/files-in-words.ts'
import { inboxPath, openParameter } from '#shared/inbox/api.ts'
import { arrivalWords } from '#shared/inbox/arrival-words.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { jsonField } from '../database/shared-database.ts'
import { wasUndone } from '../leads/change/change-lead.ts'
import { firstWords } from '../leads/first-words.ts'
import { lowestIdAt } from '../leads/lead-id.ts'
import { isOpenSuspect } from '../leads/lead-store.ts'
import { hasComeSince } from '../leads/lists/sort-key.ts'
import { fileNames } from '../leads/messages/message-text.ts'
import { readArrivalTrouble } from '../mailbox/arrivals.ts'
import { type PushMessage, sendPush } from './send-push.ts'

// Rows of one moment may appear one after the other, because they are stored by other replicas or
// in longer transactions.
const LOOK_BACK_MS = 30_000
// After an outage, what is older is no news.
const MAX_AGE_MS = 10 * 60_000
const MAX_BODY = 140
// If more than this is new within `LOOK_BACK_MS`, one message names it all: a flood must not ring a
// hundred times.
const MAX_SINGLE = 3
type Deps = Pick<Context, 'now'> &
  Parameters<typeof sendPush>[0] & {
    /** When the session of a subscription ends if it is not used again. */
    sessionEndsAt: (session: { signed_in_at: string; seen_at: string }) => Date
  }

/**
 * Creates a job that tells the phones of owners what is new: requests, replies, promises that are
 * due soon, follow-ups whose time has come, answers that failed, and emails to owners that don't
 * arrive. It looks for them in the database, so nothing that stores a lead has to wait for it or
 * know of it.
 */
export const createPushNews =
  (deps: Deps) =>
  async (signal: AbortSignal): Promise<{ sent: Promise<unknown> } | undefined> => {
    const { db, now } = deps
    const at = now()
    const { subscriptions, ended } = await readSubscriptions(deps, at)
    if (ended.length > 0) return { sent: Promise.all(ended.map((one) => sendPush(deps, one, goodbye))) }
    if (subscriptions.length === 0) return undefined
    const told = await readNote(db, 'push_told')
    const since = Math.max(Date.parse(told?.at ?? at.toISOString()) - LOOK_BACK_MS, at.getTime() - MAX_AGE_MS)
    const found = await findNews(db, new Date(since).toISOString(), at)
    // What came before the first phone was added isn't new.
    const fresh = told ? found.filter(({ tag }) => !told.tags.includes(tag)) : []
    const tags = found.map(({ tag }) => tag)
    // First, so that a crash can't repeat a message again and again.
    await writeNote(db, 'push_told', { at: at.toISOString(), tags })
    if (signal.aborted) return undefined
    const news = fresh.length > 0 && found.length > MAX_SINGLE ? [summaryOf(fresh)] : fresh
    const messages = subscriptions.flatMap((one) =>
      news.map((message) => sendPush(deps, one, one.shows_content ? message : withoutContent(message))),
    )
    // In an object, so that the job doesn't wait: a push service that hangs must not delay the news
    // for other phones.
    return { sent: Promise.all(messages) }
  }

/** The subscriptions of owners' sessions. Deletes those whose session has ended. */
async function readSubscriptions({ db, env, sessionEndsAt }: Deps, at: Date) {
  const all = await db
    .selectFrom('push_subscriptions')
    .innerJoin('sessions', 'sessions.id', 'session')
    .selectAll('push_subscriptions')
    .select(['signed_in_at', 'seen_at'])
    .where('owner', 'in', env.MAIL_TO)
    .execute()
  const ended = all.filter((one) => sessionEndsAt(one) <= at)
  for (const { endpoint } of ended)
    await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute()
  return { subscriptions: all, ended }
}

/** Without it, an owner whose session ends would believe that nothing is new. */
const goodbye: PushMessage = {
  title: 'Messages on this device have ended',
  body: 'Your sign-in has expired. Sign in, and turn the messages on again.',
  url: `${inboxPath}/access`,
  tag: 'ended',
}

/** One message that names them all, in place of the one before it. */
const summaryOf = (news: PushMessage[]): PushMessage => ({
  title: 'Much is new in your inbox',
  body: oneLine(news.map(({ title }) => title).join('; ')),
  url: inboxPath,
  tag: 'summary',
})

const withoutContent = (message: PushMessage) => ({ ...message, title: 'News in your inbox', body: '' })

/** The messages about everything that has happened since then. */
export async function findNews(db: Database, since: string, now: Date): Promise<PushMessage[]> {
  const leads = db.selectFrom('leads')
  const names = ['reference', 'first_name', 'last_name'] as const
  const requests = await leads
    .select([...names, 'budget', 'message', 'state', 'spam_score', 'verdict'])
    .where('id', '>=', lowestIdAt(new Date(since)))
    .where('created_at', '>', since)
    .execute()
  const events = await leads
    .innerJoin('lead_events', 'lead_id', 'leads.id')
    .select([...names, 'email', 'lead_events.id', 'who', 'what', 'text'])
    .select(jsonField(db, 'received', 'attachments').as('files'))
    .where('at', '>', since)
    // As literals, because these are the conditions of the indexes.
    .where('what', 'in', [sql.lit('reply' as const), sql.lit('answer_failed' as const)])
    .execute()
  const reminders = await leads
    .select([...names, 'due_at'])
    .where('reminded_at', '>', since)
    .execute()
  const followUps = await leads
    .select([...names, 'follow_up_at'])
    .select(
      sql<string | null>`(select text from lead_events as notes where lead_id = leads.id
        and what = 'follow_up' and not ${wasUndone('notes')} order by id desc limit 1)`.as('note'),
    )
    .where('list', '=', 'open')
    .where(hasComeSince(since, now))
    .execute()
  const arrival = await readArrivalTrouble(db)
  return [
    ...requests
      .filter((lead) => !isOpenSuspect(lead))
      .map((lead) => describe(lead, 'new', [nameOf(lead), planOf(lead.budget)].join(', '), lead.message)),
    ...events.map((event) => {
      const { title, body } = event.what === 'reply' ? replyOf(event) : failureOf(event)
      return describe(event, String(event.id), title, body)
    }),
    ...reminders.map((lead) =>
      describe(
        lead,
        lead.due_at,
        `${nameOf(lead)} is waiting`,
        `Reply promised by ${officeTimeInWords(new Date(lead.due_at))}`,
      ),
    ),
    ...followUps.map((lead) =>
      describe(lead, String(lead.follow_up_at), `Follow up with ${nameOf(lead)}`, lead.note ?? ''),
    ),
    ...[arrival].flatMap((trouble) => {
      if (!trouble || trouble.since <= since) return []
      const [title, body] = arrivalWords(trouble.to)[trouble.state]
      return { title, body, url: inboxPath, tag: `mail ${trouble.since}` }
    }),
  ]
}

type Event = Named & { email: string; who: string; text: string | null; files: string | null }

/** Somebody else may have written than the person of the lead: a colleague, for example. */
function replyOf(event: Event) {
  const files = filesInWords(fileNames(JSON.parse(event.files ?? '[]')))
  // So that the files aren't cut off.
  const text = `${firstWords(event.text ?? '', files ? 90 : MAX_BODY)} ${files}`
  if (event.who === event.email.toLowerCase()) return { title: `${nameOf(event)} wrote again`, body: text }
  const title = `A message about the request of ${nameOf(event)}`
  return { title, body: `From ${event.who || 'an unknown address'}: ${text}` }
}

const failureOf = (event: Event) => ({
  title: `Not delivered to ${nameOf(event)}`,
  body: event.text ?? '',
})

type Named = { reference: string; first_name: string; last_name: string }
const nameOf = ({ first_name, last_name }: Named) => oneLine(`${first_name} ${last_name}`)
const planOf = (budget: string) => (budget === '' ? 'no plan' : planName(budget))
const oneLine = (text: string) => firstWords(text, MAX_BODY)

const describe = ({ reference }: Named, what: string, title: string, body: string): PushMessage => ({
  title,
  body: oneLine(body),
  url: `${inboxPath}/${reference}${what === 'new' ? `?${openParameter}=reply` : ''}`,
  tag: `${reference} ${what}`,
})
