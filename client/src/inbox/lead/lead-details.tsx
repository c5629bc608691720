import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadEvent } from '#shared/inbox/lead.ts'
import { inOrder } from '#shared/inbox/quotes.ts'
import { eventInWords, sourceInWords, typoInWords } from '#shared/inbox/words.ts'
import { telephoneLink } from '#shared/text/telephone-link.ts'
import { websiteLink } from '#shared/text/website-link.ts'
import { Button } from '../../ui/button.tsx'
import { useEarlier } from '../data/history.ts'
import { useNow } from '../data/timers.ts'
import { useOwner } from '../frame/session.tsx'
import { Address, FromElsewhere } from '../ui/address.tsx'
import { emailInWords, isElsewhere, viewNames, whoInWords } from '../words/lead-words.ts'
import { followUpTime, moment } from '../words/times.ts'
import styles from './lead-details.module.css'

/** How to reach the person, and where the request came from. */
export function Facts({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { email, phone } = lead
  const call = telephoneLink(phone)
  const link = websiteLink(lead.website)
  const typo = typoInWords(email)
  const source = sourceInWords(lead.source)
  return (
    <dl className="lines">
      {phone && (
        <Fact name="Phone">
          <bdi>{call ? <a href={call}>{phone}</a> : phone}</bdi>
        </Fact>
      )}
      <Fact name="Email">
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`}>{email}</a>
        {typo && <p>{typo}</p>}
      </Fact>
      {detailFields
        .filter((field) => field !== 'phone' && lead[field])
        .map((field) => (
          <Fact key={field} name={contactFields[field].label}>
            {field === 'website' && link ? <Website link={link} /> : <bdi>{lead[field]}</bdi>}
          </Fact>
        ))}
      {source && <Fact name="Source">{source}</Fact>}
      <Fact name="Asked">{moment(lead.receivedAt, now)}</Fact>
    </dl>
  )
}

const Website = ({ link }: { link: string }) => (
  <a href={link} target="_blank" rel="noopener noreferrer nofollow">
    <bdi>{link.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</bdi>
    <span className="visually-hidden"> (opens a new tab)</span>
  </a>
)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row">
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type Entry = {
  key: string
  at: string
  title: ReactNode
  text?: string | null | undefined
  message?: LeadEvent['message'] | undefined
  isTrouble?: boolean
}

/** A lead's history, newest first: what owners did, and every email. */
export function LeadHistory({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { session } = useOwner()
  return (
    <section className="stack">
      <h2>What happened</h2>
      <ol className={styles.history}>
        {entries(lead, session.owner).map(({ key, at, title, text, message, isTrouble }) => (
          <li key={key}>
            <time className="muted" dateTime={at}>
              {moment(at, now)}
            </time>
            <div>
              <p className={isTrouble ? 'error' : undefined}>{title}</p>
              <div className="quote">
                <MessageWords text={text} message={message} />
              </div>
              {message && message.attachments.length > 0 && (
                <p className="muted">In the mailbox: {message.attachments.join(', ')}</p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {lead.hasEarlier && <ShowEarlier lead={lead} />}
    </section>
  )
}

/** What somebody has written. What is quoted in it is folded in its place. */
export function MessageWords({ text, message }: Pick<Entry, 'text' | 'message'>) {
  return inOrder(text ?? '', message?.quotes ?? []).map((part, index) => {
    const key = `${index}`
    const words = (
      <p key={key} dir="auto" className="typed">
        {part.text}
      </p>
    )
    if (!part.isQuoted) return words
    return (
      <details key={key} className="muted">
        <summary>Quoted text</summary>
        {words}
      </details>
    )
  })
}

/** Below the entries that are loaded, because the newest comes first. */
function ShowEarlier({ lead }: { lead: LeadDetail }) {
  const { mutate, isPending, error } = useEarlier(lead)
  return (
    <>
      {error && <p role="alert">Not loaded: {error.message}</p>}
      <Button kind="plain" onClick={() => mutate()} disabled={isPending}>
        {isPending ? 'Loading…' : 'Show earlier'}
      </Button>
    </>
  )
}

function entries(lead: LeadDetail, me: string): Entry[] {
  const done = lead.events.map((event) => ({
    key: `event-${event.id}`,
    at: event.at,
    title: titleOf(event, lead, me),
    text: event.text,
    message: event.message,
    isTrouble: event.what === 'answer_failed',
  }))
  const emails = lead.emails.map((email, index) => ({
    key: `email-${index}`,
    at: email.attempts.at(-1)?.at ?? email.queuedAt,
    title: emailInWords(email),
    text: ['sent', 'listed'].includes(email.state) ? undefined : email.attempts.at(-1)?.response,
    isTrouble: email.state === 'failed',
  }))
  const asked = { key: 'asked', at: lead.receivedAt, title: `${lead.name} asked for a quote` }
  // What is older than the entries that are loaded would stand next to a gap.
  const since = lead.hasEarlier ? (lead.events[0]?.at ?? '') : ''
  return [...done, ...emails, asked]
    .filter(({ at }) => at >= since)
    .sort((one, other) => other.at.localeCompare(one.at))
}

function titleOf(event: LeadEvent, lead: LeadDetail, me: string): ReactNode {
  const { who, what, recipient } = event
  const words = eventInWords(event, followUpTime)
  if (!isFromVisitor(event))
    return recipient && recipient !== lead.email.toLowerCase() ? (
      <>
        {whoInWords(who, me)} {words} <Address>{recipient}</Address>
      </>
    ) : (
      `${whoInWords(who, me)} ${words}`
    )
  if (!isElsewhere(event, lead)) return `${lead.name} ${words}`
  return (
    <>
      {what === 'automatic_reply' && 'An automatic reply. '}
      <FromElsewhere address={who} />
    </>
  )
}

const isFromVisitor = ({ what }: LeadEvent) => what === 'reply' || what === 'automatic_reply'

/** The other requests from the same address. */
export function EarlierRequests({ others }: Pick<LeadDetail, 'others'>) {
  const now = useNow()
  if (others.length === 0) return null
  return (
    <section className="stack">
      <h2>From the same person</h2>
      <ul className="lines">
        {others.map(({ reference, receivedAt, state }) => (
          <li key={reference} className="between">
            <Link to={`${inboxPath}/${reference}`}>{moment(receivedAt, now)}</Link>
            <span>{viewNames[state]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
