import { useResendMail } from '../data/changes.ts'
import { useSummary } from '../data/queries.ts'
import { canSendAgain, mailInWords, resentInWords } from '../words/mail-words.ts'
import { useNow } from '../words/use-now.ts'
import styles from './bars.module.css'
import { useNotify } from './notices.ts'

/** Says which messages aren't being delivered, since when, and what to do. */
export function MailBar() {
  const mail = useSummary().data?.mail
  const now = useNow()
  const resend = useResendMail()
  const notify = useNotify()
  if (!mail || mail.state === 'ok') return null

  const [title, text] = mailInWords(mail, now)
  const sendAgain = async () => {
    const result = await resend.run()
    if (result) notify({ kind: 'done', text: resentInWords(result.resent) })
  }
  return (
    <div className={`${styles.bar} ${mail.state === 'files' ? '' : styles.trouble}`} role="status">
      <p>
        <strong>{title}</strong> {text}
        {resend.error && <> {resend.error.message}</>}
      </p>
      {canSendAgain(mail) && (
        <button type="button" disabled={resend.isRunning} onClick={sendAgain}>
          Send again
        </button>
      )}
    </div>
  )
}
