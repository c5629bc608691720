import { useMutation, useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { WorkingButton } from '../../ui/button.tsx'
import { post } from '../data/api.ts'
import type { LiveState } from '../data/live.ts'
import { refresh, summaryQuery } from '../data/queries.ts'
import { useNow } from '../data/timers.ts'
import { passFocusOn } from '../ui/focus.ts'
import { canSendAgain, mailInWords, resentInWords } from '../words/mail-words.ts'
import styles from './bars.module.css'
import { useNotify } from './notices.tsx'

const resent = z.object({ resent: z.number() })

/** Says which messages aren't being delivered, since when, and what to do. */
export function MailBar() {
  const mail = useQuery(summaryQuery).data?.mail
  const now = useNow()
  const notify = useNotify()
  const resend = useMutation({
    mutationFn: () => post('/mail/resend', resent),
    onSuccess: (result) => notify({ kind: 'done', text: resentInWords(result.resent) }),
    onSettled: () => void refresh(),
  })
  if (!mail || mail.state === 'ok') return null
  const [title, text] = mailInWords(mail, now)
  return (
    <div className={`row ${styles.bar} ${mail.state === 'files' ? '' : styles.trouble}`} role="status">
      <p>
        <strong>{title}</strong> <span>{text}</span>
        {resend.error && <span> {resend.error.message}</span>}
      </p>
      {canSendAgain(mail) && (
        <WorkingButton ref={passFocusOn} isWorking={resend.isPending} onClick={() => resend.mutate()}>
          Send again
        </WorkingButton>
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

/**
 * Shows whether the page is up to date and whether a change is being
 * saved. Omit `role` inside a live region.
 */
export function LiveStatus({ state, role }: { state: LiveState; role?: 'status' }) {
  return (
    <p className={styles.live} data-state={state} role={role}>
      {liveWords[state]}
    </p>
  )
}

/** Repeats the page's status, which an open sheet covers, unless all is well. */
export const LiveBar = ({ state }: { state: LiveState }) =>
  state !== 'connecting' &&
  state !== 'live' && (
    <div className={styles.bar}>
      <LiveStatus state={state} />
    </div>
  )
