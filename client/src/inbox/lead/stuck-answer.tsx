import type { LeadDetail } from '#shared/inbox/lead.ts'
import { useOwner } from '../frame/session.ts'
import { stuckInWords, whoInWords } from '../words/lead-words.ts'
import { useNow } from '../words/use-now.ts'
import styles from './lead-page.module.css'

/** Says that the mail server doesn't accept an answer for this person, and why. */
export function StuckAnswer({ lead, since }: { lead: LeadDetail; since: string }) {
  const now = useNow()
  const { owner } = useOwner().session
  const author = lead.events.filter(({ what }) => what === 'answer').at(-1)?.who
  const reply = lead.emails
    .find(({ kind, queuedAt }) => kind === 'answer' && queuedAt === since)
    ?.attempts.at(-1)
  const whose = author ? whoseInWords(author, owner) : 'The'
  return (
    <p className={styles.trouble}>
      <strong>{stuckInWords(`${whose} answer to ${lead.firstName || lead.name}`, since, now)}</strong>{' '}
      {reply && `The mail server said: ${reply.response}. `}
      The server keeps trying. Call, or correct the address and answer again.
    </p>
  )
}

function whoseInWords(who: string, me: string): string {
  const name = whoInWords(who, me)
  return name === 'You' ? 'Your' : `${name.charAt(0).toUpperCase()}${name.slice(1)}’s`
}
