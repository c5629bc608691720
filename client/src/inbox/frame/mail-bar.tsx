import type { Summary } from '#shared/inbox/api.ts'
import { useResendMail } from '../data/changes.ts'
import { useSummary } from '../data/queries.ts'
import { moment } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './bars.module.css'
import { useNotify } from './notices.ts'

type Mail = Summary['mail']

/** Says that emails do not go out, since when, and what to do. */
export function MailBar() {
  const mail = useSummary().data?.mail
  const now = useNow()
  const resend = useResendMail()
  const notify = useNotify()
  if (!mail || mail.state === 'ok') return null

  const sendAgain = async () => {
    const result = await resend.run()
    if (result) notify({ kind: 'done', text: `Sending ${result.resent} again.` })
  }
  return (
    <div className={`${styles.bar} ${mail.state === 'files' ? '' : styles.trouble}`} role="status">
      <p>
        <strong>{titles[mail.state]}</strong> {textOf(mail, now)}
        {resend.error && <> {resend.error.message}</>}
      </p>
      {mail.failed > 0 && (
        <button type="button" disabled={resend.isRunning} onClick={sendAgain}>
          Send again
        </button>
      )}
    </div>
  )
}

const titles: Record<Mail['state'], string> = {
  ok: '',
  files: 'No mail server is set up.',
  held: 'Email is on hold.',
  waiting: 'Email is not going out.',
  failed: 'Some emails were not delivered.',
}

function textOf({ state, since, failed }: Mail, now: number): string {
  const when = since ? `Since ${moment(since, now)}. ` : ''
  const givenUp = failed === 1 ? 'One was given up.' : failed > 1 ? `${failed} were given up.` : ''
  switch (state) {
    case 'files':
      return 'Emails, and your answers too, are written to files on the server.'
    case 'held':
      return `${when}The settings name no mail server any more. Call the people who wait.`
    default:
      return `${when}${givenUp} Requests still arrive here. Call the people who wait.`
  }
}
