import type { LeadRow } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { Gauge } from '../ui/gauge.tsx'
import { stateNames } from '../words/lead-words.ts'
import { officeDay } from '../words/office-day.ts'
import { day } from '../words/times.ts'
import styles from './row-standing.module.css'

type Props = { row: LeadRow; now: number }

/** How much time is left for the promised reply. If nobody is waiting for one now, shows the lead's follow-up or state. */
export function RowStanding({ row, now }: Props) {
  if (row.isSuspect) return <span className={styles.quiet}>Suspect</span>
  if (row.followUpOn) {
    const words = row.followUpOn > officeDay(now) ? `Back ${day(row.followUpOn)}` : 'Follow up'
    return <span className={styles.quiet}>{words}</span>
  }
  if (row.state !== 'open') return <span className={styles.quiet}>{stateNames[row.state]}</span>
  const left = promiseLeft(row, now)
  return (
    <span className={`${styles.promise} ${styles[left.tone]}`}>
      {left.words}
      <Gauge tone={left.tone} share={left.share} />
    </span>
  )
}
