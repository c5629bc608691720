import type { LeadEmail } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { WithAddresses } from '../ui/address.tsx'
import { emailInWords, outcomeInWords } from '../words/lead-words.ts'
import { moment } from '../words/times.ts'
import styles from './message.module.css'

/** The kinds of emails that a visitor gets. */
const toVisitors = ['answer', 'visitor_receipt']

/** What became of the emails about a message. What went wrong isn't folded. */
export function Delivery({ emails }: { emails: readonly LeadEmail[] }) {
  const troubled = emails.filter(hasTrouble)
  const smooth = emails.filter((email) => !hasTrouble(email))
  const main = smooth.find(({ kind }) => toVisitors.includes(kind))
  const title = main
    ? `${main.kind === 'answer' ? '' : 'Receipt '}${outcomeInWords(main)}`
    : 'Emails to owners'
  return (
    <>
      {troubled.map((email, index) => (
        <EmailLine key={index} email={email} />
      ))}
      {smooth.length > 0 && (
        <details className={`muted ${styles.delivery}`}>
          <summary>{title}</summary>
          {smooth.map((email, index) => (
            <EmailLine key={index} email={email} />
          ))}
        </details>
      )}
    </>
  )
}

/** Whether an email failed, or waits after an attempt that failed. */
const hasTrouble = ({ state, attempts }: LeadEmail): boolean =>
  state === 'failed' || (state === 'queued' && attempts.length > 0)

function EmailLine({ email }: { email: LeadEmail }) {
  const now = useNow()
  const { kind, state, queuedAt, attempts } = email
  const last = attempts.at(-1)
  // Why an answer failed is an event, which stands in the thread.
  const saysWhy = hasTrouble(email) && !(kind === 'answer' && state === 'failed')
  return (
    <>
      <p className={state === 'failed' ? 'error' : undefined}>
        <WithAddresses>{emailInWords(email)}</WithAddresses>
        {', '}
        {moment(last?.at ?? queuedAt, now)}
      </p>
      {last && saysWhy && (
        <p className="quote">
          <WithAddresses>{last.response}</WithAddresses>
        </p>
      )}
    </>
  )
}
