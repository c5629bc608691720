import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { stateNames } from '../words/lead-words.ts'
import { moment } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './history.module.css'

/** The other requests from the same address. */
export function EarlierRequests({ others }: Pick<LeadDetail, 'others'>) {
  const now = useNow()
  if (others.length === 0) return null
  return (
    <section className={styles.section}>
      <h2>From the same person</h2>
      <ul className={styles.others}>
        {others.map(({ reference, receivedAt, state }) => (
          <li key={reference}>
            <Link to={`${inboxPath}/${reference}`}>{moment(receivedAt, now)}</Link>
            <span>{stateNames[state]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
