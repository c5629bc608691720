import type { LeadRow } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { Gauge } from '../ui/gauge.tsx'
import { stateNames } from '../words/lead-words.ts'
import { officeDay } from '../words/office-day.ts'
import { day } from '../words/times.ts'
import styles from './row-standing.module.css'

type Props = { row: LeadRow; now: number }

/** The time left until a lead's promised reply is due or, if no reply is due, the lead's follow-up or state. */
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
