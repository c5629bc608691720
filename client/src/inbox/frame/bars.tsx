import { useMutation, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Summary } from '#shared/inbox/api.ts'
import { callApi } from '../data/api.ts'
import type { LiveState } from '../data/live.ts'
import { refresh, summaryQuery } from '../data/queries.ts'
import { useNow } from '../ui/timers.ts'
import { moment } from '../words/times.ts'
import styles from './bars.module.css'
import { useNotify } from './notices.tsx'
import { useOwner } from './session.tsx'

/** Warns before the session ends. Omit `role` inside a live region. */
export function EndingBar({ role }: { role?: 'alert' }) {
  const { isEnding, signInAgain } = useOwner()
  if (!isEnding) return null
  return (
    <div className={styles.bar} role={role}>
      <p>
        <strong>You'll be signed out in about a minute.</strong> What you type is kept.
      </p>
      <button type="button" onClick={() => signInAgain('Sign in again to stay in the inbox.')}>
        Stay signed in
      </button>
    </div>
  )
}

const resent = z.object({ resent: z.number() })

/** Says which messages aren't being delivered, since when, and what to do. */
export function MailBar() {
  const mail = useQuery(summaryQuery).data?.mail
  const now = useNow()
  const notify = useNotify()
  const resend = useMutation({
    mutationFn: () => callApi('/mail/resend', resent, { method: 'POST' }),
    onSuccess: (result) => notify({ kind: 'done', text: resentInWords(result.resent) }),
    onSettled: () => void refresh(),
  })
  if (!mail || mail.state === 'ok') return null
  const [title, text] = mailInWords(mail, now)
  return (
    <div className={`${styles.bar} ${mail.state === 'files' ? '' : styles.trouble}`} role="status">
      <p>
        <strong>{title}</strong> {text}
        {resend.error && <> {resend.error.message}</>}
      </p>
      {canSendAgain(mail) && (
        <button type="button" disabled={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </button>
      )}
    </div>
  )
}

const liveWords: Record<LiveState, string> = {
  connecting: '',
  live: 'Live',
  saving: 'Saving…',
  lost: 'Reconnecting: this page may be out of date',
  offline: 'Offline: this page may be out of date',
}

/** Shows whether the page is up to date and whether a change is being saved. Omit `role` inside a live region. */
export function LiveStatus({ state, role }: { state: LiveState; role?: 'status' }) {
  return (
    <p className={styles.live} data-state={state} role={role}>
      {liveWords[state]}
    </p>
  )
}

/** Repeats what the open sheet covers: the warning before the session ends and, unless all is well, the page's status. */
export function SheetBars({ live }: { live: LiveState }) {
  return (
    <>
      <EndingBar />
      {live !== 'connecting' && live !== 'live' && (
        <div className={styles.status}>
          <LiveStatus state={live} />
        </div>
      )}
    </>
  )
}

type Mail = Summary['mail']

const titles: Record<Mail['state'], string> = {
  ok: '',
  files: 'No mail server is set up.',
  held: 'Email is on hold.',
  waiting: 'Email is not going out.',
  failed: 'Some emails were not delivered.',
  refused: 'Some emails to owners are refused.',
  webhook: 'Some requests did not reach your other program.',
}

/** Describes which messages aren't being delivered, and why: a title and an explanation. */
const mailInWords = (mail: Mail, now: number): [string, string] => [titles[mail.state], textOf(mail, now)]

/** Whether to offer "Send again": only if messages have failed or are waiting for a retry, and email isn't on hold. */
const canSendAgain = ({ state }: Mail): boolean => ['failed', 'waiting', 'refused', 'webhook'].includes(state)

/** What happened after "Send again". */
function resentInWords(messages: number): string {
  if (messages === 0) return 'There is nothing left to send.'
  return messages === 1 ? 'Sending one message again.' : `Sending ${messages} messages again.`
}

function textOf({ state, since, failed }: Mail, now: number): string {
  const when = since ? `Since ${moment(since, now)}. ` : ''
  const givenUp = failed > 0 ? `The server gave up on ${failed} ${failed === 1 ? 'email' : 'emails'}. ` : ''
  switch (state) {
    case 'files':
      return 'Emails are written to files.'
    case 'held':
      return `${when}The settings no longer name a mail server. Please call the people who are waiting.`
    case 'refused':
      return `${when}The mail server takes other emails, but refuses these, perhaps because an owner’s mailbox is full or gone.`
    case 'webhook':
      return `${when}They are all here, but the server cannot post them to LEAD_WEBHOOK_URL.`
    default:
      return `${when}${givenUp}Requests still arrive here. Please call the people who are waiting.`
  }
}
