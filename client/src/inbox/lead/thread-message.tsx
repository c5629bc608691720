import type { ReactNode } from 'react'
import type { LeadDetail, LeadEmail } from '#shared/inbox/lead.ts'
import { inOrder } from '#shared/inbox/quotes.ts'
import { eventInWords } from '#shared/inbox/words.ts'
import { useNow } from '../data/timers.ts'
import { useOwner } from '../frame/session.tsx'
import { FromElsewhere, WithAddresses } from '../ui/address.tsx'
import { emailInWords, isElsewhere, outcomeInWords, whoInWords } from '../words/lead-words.ts'
import { followUpTime, moment } from '../words/times.ts'
import { ThreadFiles } from './thread-files.tsx'
import { isFromUs, isFromVisitor, isSaid, type ThreadItem } from './thread-items.ts'
import styles from './thread-message.module.css'

type Props = { item: ThreadItem; lead: LeadDetail }

/** What somebody wrote or said, or a line about something else that happened. */
export function ThreadMessage({ item, lead }: Props) {
  const now = useNow()
  const title = useTitle(item, lead, now)
  const { at, attachments: files } = item
  const time = (
    <time className="muted" dateTime={at}>
      {moment(at, now)}
    </time>
  )
  const isTrouble = item.what === 'answer_failed'
  if (!isSaid(item))
    return (
      <p className={isTrouble ? 'error' : `muted ${styles.line}`}>
        <span>{title}</span> {time}
      </p>
    )
  const kind = isFromVisitor(item) ? styles.theirs : isFromUs(item) ? styles.ours : styles.aside
  return (
    <div className={`${styles.message} ${kind}`}>
      <h3 className={isTrouble ? 'error' : undefined}>
        <span>{title}</span> {time}
      </h3>
      <MessageWords item={item} />
      {files.length > 0 && <ThreadFiles reference={lead.reference} event={item.id} files={files} />}
      <Delivery emails={item.emails} />
    </div>
  )
}

function useTitle(item: ThreadItem, lead: LeadDetail, now: number): ReactNode {
  const { session } = useOwner()
  const { who, what, from, to, recipient, isNewEmail } = item
  const time = (at: string) => followUpTime(at, now)
  const words = what === 'asked' ? 'asked for a quote' : eventInWords({ what, from, to, isNewEmail }, time)
  if (isFromVisitor(item)) {
    if (!isElsewhere(item, lead)) return `${lead.name} ${words}`
    return (
      <>
        {what === 'automatic_reply' && 'An automatic reply. '}
        <FromElsewhere address={who} />
      </>
    )
  }
  const where = recipient && recipient !== lead.email.toLowerCase() ? ` ${recipient}` : ''
  return <WithAddresses>{`${whoInWords(item, session.owner)} ${words}${where}`}</WithAddresses>
}

/** What somebody has written. What is quoted in it is folded in its place. */
function MessageWords({ item: { text, message } }: Pick<Props, 'item'>) {
  return inOrder(text ?? '', message?.quotes ?? []).map((part, index) => {
    const key = `${index}`
    const words = (
      <p key={key} dir="auto" className="typed">
        {part.text}
      </p>
    )
    if (!part.isQuoted) return words
    return (
      <details key={key} className={`muted ${styles.quoted}`}>
        <summary>
          <span aria-hidden="true">…</span>
          <span className="visually-hidden">Quoted text</span>
        </summary>
        {words}
      </details>
    )
  })
}

/** What became of the emails about a message. What went wrong isn't folded. */
function Delivery({ emails }: { emails: readonly LeadEmail[] }) {
  const smooth = emails.filter((email) => !hasTrouble(email))
  const toVisitor = smooth.find(({ kind }) => kind === 'answer' || kind === 'visitor_receipt')
  const receipt = toVisitor?.kind === 'visitor_receipt' ? 'Receipt ' : ''
  return (
    <>
      <EmailLines emails={emails.filter(hasTrouble)} />
      {toVisitor && (
        <details className={`muted ${styles.delivery}`}>
          <summary>{receipt + outcomeInWords(toVisitor)}</summary>
          <EmailLines emails={smooth} />
        </details>
      )}
    </>
  )
}

/** Whether an email failed, or waits after an attempt. A failed answer is an event of its lead. */
const hasTrouble = ({ kind, state, attempts }: LeadEmail): boolean =>
  state === 'failed' ? kind !== 'answer' : state === 'queued' && attempts.length > 0

function EmailLines({ emails }: { emails: readonly LeadEmail[] }) {
  const now = useNow()
  return emails.map((email, index) => {
    const last = email.attempts.at(-1)
    return (
      <div key={index}>
        <p className={email.state === 'failed' ? 'error' : undefined}>
          <WithAddresses>{`${emailInWords(email)}, ${moment(last?.at ?? email.queuedAt, now)}`}</WithAddresses>
        </p>
        {last && hasTrouble(email) && (
          <p className="quote">
            <WithAddresses>{last.response}</WithAddresses>
          </p>
        )}
      </div>
    )
  })
}
