import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { useDelayed, useNow } from '../data/timers.ts'
import { passFocusOn } from '../ui/focus.ts'
import { moment } from '../words/times.ts'
import { DOUBLE_TAP_MS } from './action-bar.tsx'
import styles from './lead-warnings.module.css'
import { useChange } from './use-change.ts'

type Props = { lead: LeadDetail }

/** What the owner should know right before answering. Stands below the conversation. */
export function LeadWarnings({ lead }: Props) {
  return (
    <>
      {lead.trouble && (
        <Trouble title={lead.trouble}>Call, or correct what is wrong and answer again.</Trouble>
      )}
      {lead.stuckSince && !lead.trouble && <StuckAnswer lead={lead} since={lead.stuckSince} />}
      {lead.addressDoubt && !lead.trouble && (
        <Trouble title={lead.addressDoubt}>
          The mail server refused the receipt: this mailbox does not exist.
        </Trouble>
      )}
      {lead.writer && <p className={styles.note}>{`${lead.writer} is writing an answer.`}</p>}
      {lead.hasDraft && <p className={styles.note}>Your answer is a draft: it is not sent yet.</p>}
    </>
  )
}

function Trouble({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className={styles.trouble}>
      <strong className="error">{title}</strong> {children}
    </p>
  )
}

/** Says that the mail server doesn't accept an answer for this person, and why. */
function StuckAnswer({ lead, since }: { lead: LeadDetail; since: string }) {
  const now = useNow()
  const reply = lead.emails
    .find(({ kind, queuedAt }) => kind === 'answer' && queuedAt === since)
    ?.attempts.at(-1)
  return (
    <Trouble title={`The answer has been stuck since ${moment(since, now)}.`}>
      {/* In an element: React can't insert anything before a text that a translator replaced. */}
      {reply && <span>{`The mail server said: ${reply.response}. `}</span>}
      <span>The server keeps trying. Call, or correct the address and answer again.</span>
    </Trouble>
  )
}

/**
 * Says why the lead looks like spam, and asks for the owner's verdict, before the owner reads on.
 * Stands above the conversation.
 */
export function SuspectPanel({ lead }: Props) {
  const change = useChange(lead)
  // Of a suspect that has just replaced another, the second tap of a double tap judges nothing.
  const isReady = useDelayed(true, DOUBLE_TAP_MS, useLocation().state?.isNext !== true)
  return (
    <section ref={passFocusOn} className={`stack ${styles.panel}`} aria-labelledby="doubts">
      <h2 id="doubts">This may be spam</h2>
      <ul className="quote">
        {lead.spamReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="row">
        <Button kind="plain" isWorking={!isReady} onClick={() => change({ state: 'open' })}>
          Not spam
        </Button>
        <Button data-key="!" kind="plain" isWorking={!isReady} onClick={() => change({ state: 'spam' })}>
          Spam
        </Button>
      </p>
    </section>
  )
}
