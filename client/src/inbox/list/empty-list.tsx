import type { LeadView } from '#shared/inbox/lead.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './empty-list.module.css'

const texts: Record<LeadView, [string, string]> = {
  open: ['Nobody is waiting.', 'New requests appear here automatically.'],
  waiting: ['No follow-ups.', 'Requests with a follow-up day wait here until that day.'],
  suspects: ['No suspects.', 'Requests that look like spam wait here, so that no real one gets lost.'],
  answered: ['No answered requests yet.', 'Requests move here when you answer them.'],
  won: ['No jobs won yet.', 'Mark a request as won when the job is yours.'],
  lost: ['Nothing lost.', 'May it stay that way.'],
  spam: ['No spam.', 'What you mark as spam ends up here.'],
  all: ['No requests yet.', 'The first one from your website will appear here automatically.'],
}

type Props = { view: LeadView; search: string }

export function EmptyList({ view, search }: Props) {
  const [title, text] = search.trim()
    ? ['Nothing found.', 'Try fewer words, or the last digits of the phone number.']
    : texts[view]
  return (
    <div className={styles.empty} role="status">
      <Mark />
      <p className={styles.title}>{title}</p>
      <p>{text}</p>
    </div>
  )
}
