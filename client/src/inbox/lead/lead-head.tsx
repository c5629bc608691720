import { Link, useLocation } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { useNow } from '../data/timers.ts'
import { Gauge } from '../ui/gauge.tsx'
import { isLater, isWaiting, viewNames } from '../words/row-words.ts'
import { followUpTime, moment } from '../words/times.ts'
import styles from './lead-head.module.css'

/**
 * Shows who is asking, what state the request is in, and how much time is left.
 * Looks like the title block of a technical drawing.
 */
export function LeadHead({ row }: { row: LeadRow }) {
  const { search } = useLocation()
  const now = useNow()
  const { state, result } = row
  return (
    <header className={`stack ${styles.head}`}>
      <p className="row muted">
        <Link className={`touch ${styles.back}`} to={inboxPath + search}>
          <span aria-hidden="true">←</span> All requests
        </Link>
        <span className={styles.state} data-state={state}>
          {row.isSuspect ? 'Suspect' : viewNames[state]}
        </span>
        {state === 'open' && row.followUpAt && !isLater(row, now) && (
          <span className={styles.state}>Follow up</span>
        )}
        {result && (
          <span className={styles.state} data-state={result}>
            {viewNames[result]}
          </span>
        )}
      </p>
      <h1 tabIndex={-1}>
        <bdi>{row.name}</bdi>
      </h1>
      <PromiseLine row={row} now={now} />
    </header>
  )
}

/**
 * Shows how much time is left to reply, in words and as a line. If
 * nobody waits now, shows the follow-up instead.
 */
function PromiseLine({ row, now }: { row: LeadRow; now: number }) {
  if (row.followUpAt && (!isWaiting(row) || isLater(row, now)))
    return (
      <p className={styles.note}>
        <span>{`Follow-up ${isLater(row, now) ? 'set for' : 'due'} ${followUpTime(row.followUpAt, now)}.`}</span>
        {isWaiting(row) && <span>{` Reply promised by ${moment(row.dueAt, now)}.`}</span>}
      </p>
    )
  if (!isWaiting(row)) return null
  const { words, tone, share } = promiseLeft(row, now)
  return (
    <div className={`${styles.promise} ${tone === 'late' ? styles.late : ''}`}>
      <p className="row">
        <strong>{words}</strong>{' '}
        <span className="muted">{`Reply promised by ${moment(row.dueAt, now)}`}</span>
      </p>
      <Gauge tone={tone} share={share} />
    </div>
  )
}
