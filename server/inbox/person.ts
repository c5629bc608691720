import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { brand } from '#facts/brand.ts'
import { english } from '#shared/computed-facts.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { count } from '#shared/count.ts'
import { emailInShort, eventInWords } from '#shared/inbox/words.ts'
import { officeTime, officeZone } from '#shared/office-time.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import type { Database, StoredMessage } from '../database/schema.ts'
import { Problem } from '../errors/problem.ts'
import { getLead, type LeadEventRow } from '../leads/change/change-lead.ts'
import type { EmailRecord } from '../leads/email-states.ts'
import { cameAt, filesOf } from '../leads/messages/message-text.ts'
import { isMessage, isOfOthers, leadsWithMessages, othersIn, takesPart } from '../leads/search/senders.ts'
import { html, SafeHtml } from '../mail/html.ts'
import { findRecord, type LeadRecord, leadState, readLeads } from './export-leads.ts'

/**
 * The address of a person: that of the lead or, if the number of an event is given, the one from
 * which that message about the lead came. So no address is in the address of the page, which
 * servers log.
 */
export async function addressOf(db: Database, reference: string, message?: string): Promise<string> {
  const { id, email } = await getLead(db, reference)
  if (message === undefined) return email
  const events = db.selectFrom('lead_events').select(['who', 'what']).where('lead_id', '=', id)
  const event = await events.where('id', '=', Number(message)).executeTakeFirst()
  if (event && isMessage(event)) return event.who
  throw new Problem('not_found', 'There is no such message. It may have been erased.')
}

/**
 * Reads everything that is stored about a person: first how long it is kept, then each request from
 * the address, newest first, then what the person has written about requests of others. Leaves out
 * what belongs to somebody else: what others have written and what they were answered, the address
 * before a correction, and emails to it.
 */
export async function* readPerson(
  db: Database,
  { address, now, retentionDays }: { address: string; now: Date; retentionDays: number },
): AsyncGenerator<object> {
  const until = retentionDays
    ? `${count(retentionDays, 'day')} after the person's last message, once it is answered`
    : 'somebody erases it'
  yield {
    person: address,
    storedBy: brand.name,
    storedAt: now.toISOString(),
    kept: `Each request is kept, with everything listed here, until ${until}. Backups can contain it for up to ${BACKUP_DAYS} more days. A code made from the network address is kept for one day: it limits how many requests one visitor can send. Files that the person has attached are only in the mailbox.`,
  }
  for await (const lead of readLeads(db, { address })) {
    yield await requestOf(db, lead, address)
    // So that no visitor waits for a person with many long requests.
    await nextTurn()
  }
  for (const { reference, email } of await leadsWithMessages(db, address)) {
    if (email.toLowerCase() === address.toLowerCase()) continue
    const lead = await findRecord(db, reference)
    if (lead) yield await messagesOf(db, lead, address.toLowerCase())
    await nextTurn()
  }
}

const isToPerson = ({ kind }: EmailRecord) => kind === 'visitor_receipt' || kind === 'answer'

async function requestOf(db: Database, lead: LeadRecord, address: string) {
  const person = address.toLowerCase()
  const events = await eventsOf(db, lead)
  const others = othersIn(events, lead.email, person)
  const drafts = db.selectFrom('lead_drafts').where('lead_id', '=', lead.id)
  const attached = db
    .selectFrom('files')
    .where((file) => file.and({ lead_id: lead.id, in_draft: 1 }))
    .where('size', 'is not', null)
  const sent = contactFieldNames.map((field) => contactFields[field])
  return {
    request: lead.reference,
    receivedAt: lead.created_at,
    state: leadState(lead),
    sent: Object.fromEntries(sent.map(({ label, column }) => [label, lead[column]])),
    source: lead.source,
    spam: { score: lead.spam_score, reasons: lead.spam_reasons, verdict: lead.verdict },
    history: events.filter((event) => !isOfOthers(event, person, others)).map(inHistory),
    drafts: await drafts.select(['owner', 'updated_at as savedAt', 'text']).execute(),
    attached: await attached.select(['owner', 'at as attachedAt', 'name']).execute(),
    emails: emailsTo(lead, person),
    /** Owners' addresses, and the host of LEAD_WEBHOOK_URL. */
    passedOnTo: [
      ...new Set(lead.emails.filter((email) => !isToPerson(email)).map((email) => email.recipient)),
    ],
  }
}

/** What the person and owners have written to each other about somebody else's request. */
async function messagesOf(db: Database, lead: LeadRecord, person: string) {
  const events = await eventsOf(db, lead)
  const between = events.filter((event) => takesPart(event, person))
  const keys = new Set(between.map(({ key }) => key))
  const notices = lead.emails.filter(({ content }) => content !== null && keys.has(JSON.parse(content).key))
  return {
    request: lead.reference,
    about: 'Somebody else has sent this request. Listed is only what was written from and to this address.',
    history: between.map(inHistory),
    emails: emailsTo(lead, person),
    passedOnTo: [...new Set(notices.filter((email) => !isToPerson(email)).map(({ recipient }) => recipient))],
  }
}

const eventsOf = (db: Database, { id }: LeadRecord) =>
  db.selectFrom('lead_events').selectAll().where('lead_id', '=', id).orderBy('id').execute()

function inHistory({ at, who, what, from_value, to_value, text, received, joined, files }: LeadEventRow) {
  const message: StoredMessage | null = received && JSON.parse(received)
  return {
    at: cameAt(at, message ?? {}),
    who,
    did:
      what === 'address'
        ? 'corrected the address'
        : eventInWords({ what, from: from_value, to: to_value, isNewEmail: joined === 'address' }, String),
    // What a mail server said may name another address. What it said about the person's own is in
    // `emails`.
    text: what === 'answer_failed' ? null : text,
    files: filesOf({ received: null, files }),
    received: message && receivedOf(message),
  }
}

/** What is stored of a message besides its text. The other recipients are other people. */
function receivedOf(message: StoredMessage) {
  const { to: _to, quotes, ...others } = message
  return { ...others, quoted: quotes.map(({ text }) => text).join('\n\n') }
}

/** The emails to the person, and what the mail server said about them. */
const emailsTo = (lead: LeadRecord, person: string) =>
  lead.emails
    .filter((email) => isToPerson(email) && email.recipient.toLowerCase() === person)
    .map(({ log, ...email }) => ({
      email: emailInShort(email),
      at: email.sent_at ?? email.queued_at,
      state: email.state,
      mailServerSaid: log.at(-1)?.response ?? null,
    }))

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
section { margin-block: 2rem; border-top: 2px solid }
dl dl { display: grid; grid-template-columns: fit-content(8rem) 1fr; gap: 0 1rem; margin: 0 }
dt { opacity: .75 }
section > dl > dt { margin-top: .75rem; font-weight: 600 }
dd, ul { margin: 0; padding: 0 }
li { margin-bottom: 1rem; list-style: none }
p { margin: 0; white-space: pre-wrap }
@media print { :root { color-scheme: light } .screen { display: none } dl dl, li { break-inside: avoid } }`

/** The Content-Security-Policy of the page: it has no scripts, and one style. */
export const personPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`

/**
 * A page to print, or to save as a PDF, with everything that `readPerson` yields. `message`: see
 * `addressOf`.
 */
export async function* toPage(parts: AsyncIterable<object>, message?: string): AsyncGenerator<string> {
  const asJson = `?format=json${message ? `&message=${message}` : ''}`
  yield html`<!doctype html>
<html lang="${english}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Everything about this person</title><style>${new SafeHtml(style)}</style></head>
<body><h1>Everything about this person</h1>
<p class="screen">Read it before you send it: your notes may name other people. Then print it, save it as a PDF, or <a href="${asJson}">save it as a file for programs (JSON)</a>.</p>
`.toString()
  for await (const part of parts) {
    yield '<section>'
    yield* show(part)
    yield '</section>\n'
  }
  yield '</body></html>\n'
}

const isEmpty = (item: unknown) =>
  typeof item === 'object' && item ? Object.keys(item).length === 0 : item === null || item === ''

/**
 * Shows any value: an object as names and values, without those that are empty, and a list as a
 * list, one item at a time: a request can have two million characters of messages.
 */
async function* show(value: unknown): AsyncGenerator<string> {
  if (Array.isArray(value)) {
    for (const item of value) {
      yield '<ul><li>'
      yield* show(item)
      yield '</li></ul>'
      await nextTurn()
    }
  } else if (typeof value === 'object' && value) {
    yield '<dl>'
    for (const [name, item] of Object.entries(value)) {
      if (isEmpty(item)) continue
      yield html`<dt>${inWords(name)}</dt><dd>`.toString()
      yield* show(item)
      yield '</dd>'
    }
    yield '</dl>'
  } else {
    const text = String(value)
    // Visitors can write times that don't exist.
    const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Date.parse(text)
    yield html`<p dir="auto">${isTime ? `${officeTime(text)} ${officeZone(text)}` : text}</p>`.toString()
  }
}

/** "passedOnTo" becomes "Passed on to". */
const inWords = (name: string) =>
  name.charAt(0).toUpperCase() + name.slice(1).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
