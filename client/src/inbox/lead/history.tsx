import type { LeadDetail } from '#shared/inbox/lead.ts'
import { eventInWords } from '#shared/inbox/words.ts'
import { useOwner } from '../frame/session.ts'
import { emailInWords, whoInWords } from '../words/lead-words.ts'
import { day, moment } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './history.module.css'

type Entry = { key: string; at: string; title: string; text?: string | undefined; isTrouble?: boolean }

/** A lead's history, newest first: what owners did, and every email. */
export function History({ lead }: { lead: LeadDetail }) {
  const now = useNow()
  const { session } = useOwner()
  return (
    <section className={styles.section}>
      <h2>What happened</h2>
      <ol className={styles.history}>
        {entries(lead, session.owner).map(({ key, at, title, text, isTrouble }) => (
          <li key={key} className={isTrouble ? styles.trouble : undefined}>
            <time dateTime={at}>{moment(at, now)}</time>
            <div>
              <p>{title}</p>
              {text && (
                <p dir="auto" className={styles.text}>
                  {text}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function entries(lead: LeadDetail, me: string): Entry[] {
  const done = lead.events.map((event) => ({
    key: `event-${event.id}`,
    at: event.at,
    title: `${whoInWords(event.who, me)} ${eventInWords(event, day)}`,
    text: event.text ?? undefined,
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
  return [...done, ...emails, asked].sort((one, other) => other.at.localeCompare(one.at))
}
