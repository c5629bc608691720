import type { LeadEmail } from '#shared/inbox/lead.ts'
import { useNow } from '../data/timers.ts'
import { WithAddresses } from '../ui/address.tsx'
import { emailInWords, outcomeInWords } from '../words/lead-words.ts'
import { moment } from '../words/times.ts'
import styles from './thread-message.module.css'

/** What became of the emails about a message. What went wrong isn't folded. */
export function Delivery({ emails }: { emails: readonly LeadEmail[] }) {
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
          <WithAddresses>{emailInWords(email)}</WithAddresses>, {moment(last?.at ?? email.queuedAt, now)}
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
