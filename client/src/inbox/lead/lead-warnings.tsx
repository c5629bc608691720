import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { anything, post } from '../data/api.ts'
import { pathOf, refresh } from '../data/queries.ts'
import { useNow } from '../data/timers.ts'
import { useNotify } from '../frame/notices.tsx'
import { passFocusOn } from '../ui/focus.ts'
import { moment } from '../words/times.ts'
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
      {lead.writer && <p className={styles.note}>{lead.writer} is writing an answer.</p>}
      {lead.hasDraft && <p className={styles.note}>Your answer is a draft: it is not sent yet.</p>}
    </>
  )
}

/** What the owner should decide before reading on. Stands above the conversation. */
export function LeadDoubts({ lead }: Props) {
  return (
    <>
      {lead.isSuspect && <SuspectPanel lead={lead} />}
      {lead.canSendReceipt && <WithheldReceipt lead={lead} />}
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
      {reply && <span>The mail server said: {reply.response}. </span>}
      <span>The server keeps trying. Call, or correct the address and answer again.</span>
    </Trouble>
  )
}

/** Says why the lead looks like spam, and asks for the owner's verdict. */
function SuspectPanel({ lead }: Props) {
  const change = useChange(lead)
  return (
    <section ref={passFocusOn} className={`stack ${styles.panel}`} aria-labelledby="doubts">
      <h2 id="doubts">This may be spam</h2>
      <ul className="quote">
        {lead.spamReasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <p className="row">
        <Button kind="plain" onClick={() => change({ state: 'open' })}>
          Not spam
        </Button>
        <Button data-key="!" kind="plain" onClick={() => change({ state: 'spam' })}>
          Spam
        </Button>
      </p>
    </section>
  )
}

/** After the owner has chosen "Not spam", offers to send the receipt that was withheld. */
function WithheldReceipt({ lead: { reference, name, email } }: Props) {
  const notify = useNotify()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => post(`${pathOf(reference)}/receipt`, anything),
    onSuccess: () => notify({ kind: 'done', text: `The receipt is on its way to ${email}.` }),
    onSettled: () => void refresh(),
  })
  return (
    <section ref={passFocusOn} className={`stack ${styles.panel}`} aria-labelledby="receipt">
      <h2 id="receipt">No receipt yet</h2>
      <p>{name} got no receipt, because this looked like spam.</p>
      {error && <p role="alert">Not sent: {error.message}</p>}
      <Button kind="plain" isWorking={isPending} onClick={() => mutate()}>
        Send the receipt
      </Button>
    </section>
  )
}
