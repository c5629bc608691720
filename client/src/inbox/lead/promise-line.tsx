import type { LeadRow } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { officeDay } from '../words/office-day.ts'
import { day, moment } from '../words/times.ts'
import styles from './promise-line.module.css'

type Props = { row: LeadRow; now: number }

/** Shows how much time is left to reply, in words and as a line. If the lead has a follow-up, shows that instead. */
export function PromiseLine({ row, now }: Props) {
  if (row.followUpOn) return <p className={styles.note}>{followUpInWords(row.followUpOn, now)}</p>
  if (row.state !== 'open' || row.isSuspect) return null
  const { words, tone, share } = promiseLeft(row, now)
  return (
    <div className={`${styles.promise} ${styles[tone]}`}>
      <p>
        <strong>{words}</strong> <span>Reply promised by {moment(row.dueAt, now)}</span>
      </p>
      <svg viewBox="0 0 400 12" preserveAspectRatio="none" aria-hidden="true">
        <path className={styles.rule} d="M.5 0v12M399.5 0v12M0 6h400M100 3.5v5M200 3.5v5M300 3.5v5" />
        <path className={styles.left} d={tone === 'late' ? 'M0 6H400' : `M${400 * (1 - share)} 6H400`} />
      </svg>
    </div>
  )
}

const followUpInWords = (on: string, now: number): string =>
  on > officeDay(now) ? `Follow-up set for ${day(on)}.` : `Follow-up due ${day(on)}.`
