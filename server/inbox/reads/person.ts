import { createHash } from 'node:crypto'
import { brand } from '#facts/brand.ts'
import { english } from '#shared/computed-facts.ts'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { emailInShort, eventInWords, sourceInWords } from '#shared/inbox/words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { count } from '../../count.ts'
import type { Database, StoredMessage } from '../../database/schema.ts'
import { html, SafeHtml } from '../../html.ts'
import { type LeadRecord, leadState, readLeads } from './export-leads.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Person = { address: string; now: Date; retentionDays: number }
type PersonsRequest = Awaited<ReturnType<typeof requestOf>>

/**
 * Everything that is stored about a person: all requests from the address, newest first. Leaves out what may belong to
 * somebody else, such as the address before a correction, and emails to it.
 */
async function* requestsOf(db: Database, person: Person) {
  for await (const lead of readLeads(db, { address: person.address })) yield await requestOf(db, lead, person)
}

async function requestOf(db: Database, lead: LeadRecord, { address, retentionDays }: Person) {
  const isPerson = (other: string) => other.toLowerCase() === address.toLowerCase()
  const ofLead = { lead_id: lead.id }
  const drafts = await db
    .selectFrom('lead_drafts')
    .select(['owner', 'updated_at as at', 'text'])
    .where((draft) => draft.and(ofLead))
    .execute()
  const messages = await db
    .selectFrom('lead_events')
    .select(['at', 'received'])
    .where((event) => event.and(ofLead))
    .where('received', 'is not', null)
    .execute()
  const received = messages.map(({ at, received }) => {
    const { quoted, attachments } = JSON.parse(String(received)) as StoredMessage
    return { at, quoted, attachments }
  })
  const toVisitor = lead.emails.filter(({ kind }) => kind === 'visitor_receipt' || kind === 'answer')
  const others = lead.emails.filter((email) => !toVisitor.includes(email)).map(({ recipient }) => recipient)
  return {
    reference: lead.reference,
    receivedAt: lead.created_at,
    keptUntil: retentionDays
      ? new Date(Date.parse(lead.created_at) + retentionDays * DAY_MS).toISOString()
      : null,
    state: leadState(lead),
    sent: Object.fromEntries(
      contactFieldNames.map((field) => [contactFields[field].label, lead[contactFields[field].column]]),
    ),
    source: lead.source,
    spam: { score: lead.spam_score, reasons: lead.spam_reasons, verdict: lead.verdict },
    history: lead.events.map(({ at, who, what, from_value, to_value, text }) => ({
      at,
      who:
        what === 'reply' || what === 'automatic_reply' ? (isPerson(who) ? address : 'another address') : who,
      what:
        what === 'address'
          ? 'corrected the address'
          : eventInWords({ what, from: from_value, to: to_value }, String),
      text,
    })),
    messages: received,
    drafts,
    emails: toVisitor
      .filter(({ recipient }) => isPerson(recipient))
      .map(({ kind, recipient, queued_at, sent_at, state, log }) => ({
        email: emailInShort({ kind, recipient }),
        at: sent_at ?? queued_at,
        outcome: state,
        mailServer: log.at(-1)?.response ?? null,
      })),
    /** Owners' addresses, and the host of LEAD_WEBHOOK_URL. */
    passedOnTo: [...new Set(others)],
  }
}

/** How long everything is kept, and what isn't listed. */
const keptInWords = ({ retentionDays }: Person) => [
  retentionDays
    ? `A request is deleted, with everything listed here, ${count(retentionDays, 'day')} after it came in.`
    : 'A request is kept, with everything listed here, until it is erased.',
  `Backups can keep it for up to ${BACKUP_DAYS} days more.`,
  'For one day, a code made from the network address is kept, too: it limits how many requests one visitor can send. Attached files are only in the mailbox.',
]

/** A JSON object, one request per line. */
export async function* personAsJson(db: Database, person: Person): AsyncGenerator<string> {
  const { address, now } = person
  const about = { person: address, from: brand.name, at: now.toISOString(), kept: keptInWords(person) }
  yield `${JSON.stringify(about).slice(0, -1)},"requests":[`
  let separator = '\n'
  for await (const request of requestsOf(db, person)) {
    yield separator + JSON.stringify(request)
    separator = ',\n'
  }
  yield '\n]}\n'
}

const style = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
article { margin-block: 2rem; border-top: 2px solid }
dt, time { font-size: .875rem; opacity: .75 }
dd, ul, ol { margin: 0 0 .5rem; padding: 0 }
li { margin-block: .5rem; list-style: none }
.text { display: block; white-space: pre-wrap }
@media print { :root { color-scheme: light } h2, li { break-inside: avoid } }`

/** The Content-Security-Policy of the page: it has no scripts, and one style. */
export const personPolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`

const inWords = (at: string) => html`<time>${officeTimeInWords(new Date(at))}</time>`
const list = (items: SafeHtml[], title: string) =>
  items.length > 0 ? html`<h3>${title}</h3><ul>${items.map((item) => html`<li>${item}</li>`)}</ul>` : html``
const said = (at: string, words: string, text: string | null) =>
  html`${inWords(at)} ${words}${text ? html`<span class="text" dir="auto">${text}</span>` : html``}`

/** A page to print, or to save as a PDF. */
export async function* personAsPage(db: Database, person: Person): AsyncGenerator<string> {
  const title = `Everything about ${person.address}`
  yield html`<!doctype html>
<html lang="${english}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>${new SafeHtml(style)}</style></head>
<body>
<h1>${title}</h1>
<p>Stored by ${brand.name} on ${officeTimeInWords(person.now)}. ${keptInWords(person).join(' ')}</p>
`.toString()
  for await (const request of requestsOf(db, person)) yield articleOf(request).toString()
  yield '</body></html>\n'
}

const articleOf = ({
  reference,
  receivedAt,
  keptUntil,
  state,
  sent,
  source,
  spam,
  ...rest
}: PersonsRequest) => html`<article>
<h2>Request ${reference}</h2>
<p>Received ${inWords(receivedAt)}, ${state}${keptUntil ? html`, kept until ${inWords(keptUntil)}` : html``}. Seen by ${rest.passedOnTo.join(', ') || 'nobody yet'}.</p>
<dl>${Object.entries({
  ...sent,
  Source: sourceInWords(source) ?? '',
  'Looks like spam': spam.reasons.join(' '),
})
  .filter(([, value]) => value)
  .map(([name, value]) => html`<dt>${name}</dt><dd class="text" dir="auto">${value}</dd>`)}</dl>
${list(
  rest.history.map(({ at, who, what, text }) => said(at, `${who} ${what}`, text)),
  'What happened',
)}${list(
  rest.messages.flatMap(({ at, quoted, attachments }) =>
    quoted || attachments.length > 0
      ? [said(at, ['Quoted in an email', ...attachments].join(', '), quoted)]
      : [],
  ),
  'In emails',
)}${list(
  rest.drafts.map(({ at, owner, text }) => said(at, `${owner} has not sent`, text)),
  'Drafts',
)}${list(
  rest.emails.map(({ at, email, outcome, mailServer }) => said(at, `${email}: ${outcome}`, mailServer)),
  'Emails to this person',
)}
</article>
`
