import { memo } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow as Row } from '#shared/inbox/lead.ts'
import { troubleInRow } from '../words/lead-words.ts'
import { planName } from '../words/plan-name.ts'
import { ago } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './lead-row.module.css'
import { RowStanding } from './row-standing.tsx'

type Props = { row: Row; isCurrent: boolean }

/** One row of the list. The whole row is a link. */
export const LeadRow = memo(function LeadRow({ row, isCurrent }: Props) {
  const [parameters] = useSearchParams()
  const now = useNow()
  const view = parameters.get('view')
  const trouble = troubleInRow(row, now)
  return (
    <li className={styles.row} data-unread={row.isUnread || undefined}>
      <Link
        className={styles.link}
        to={`${inboxPath}/${row.reference}${view ? `?view=${view}` : ''}`}
        aria-current={isCurrent ? 'true' : undefined}
        data-row={row.reference}
      >
        <span className={styles.name}>
          {row.isUnread && <span className={styles.mark}>New: </span>}
          <bdi>{row.name}</bdi>
        </span>
        <RowStanding row={row} now={now} />
        <span className={styles.facts}>
          {planName(row.budget)}, {ago(row.receivedAt, now)}
        </span>
        {trouble ? (
          <span className={styles.trouble}>{trouble}</span>
        ) : (
          <span dir="auto" className={styles.words}>
            {row.firstWords}
          </span>
        )}
      </Link>
    </li>
  )
})
