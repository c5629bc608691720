import { Link, useLocation } from 'react-router-dom'
import { plans } from '#facts/plans.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { formatMoney } from '#shared/money.ts'
import { useNow } from '../data/timers.ts'
import { Gauge } from '../ui/gauge.tsx'
import { viewNames } from '../words/lead-words.ts'
import { ago, followUpTime, moment } from '../words/times.ts'
import styles from './lead-head.module.css'

/**
 * Shows who is asking, for which plan, and how much time is left.
 * Looks like the title block of a technical drawing.
 */
export function LeadHead({ row }: { row: LeadRow }) {
  const { search } = useLocation()
  const now = useNow()
  const plan = plans.find(({ id }) => id === row.budget)
  const price = plan ? `, ${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month` : ''
  return (
    <header className={`stack ${styles.head}`}>
      <Link className={`touch ${styles.back}`} to={inboxPath + search}>
        <span aria-hidden="true">←</span> All requests
      </Link>
      <p className="row muted">
        <span>{row.reference}</span>
        <span className={styles.state} data-state={row.state}>
          {row.isSuspect ? 'Suspect' : viewNames[row.state]}
        </span>
      </p>
      <h1 tabIndex={-1}>
        <bdi>{row.name}</bdi>
      </h1>
      <p className={styles.facts}>
        {planName(row.budget)}
        {price}. Asked {ago(row.receivedAt, now)}.
      </p>
      <PromiseLine row={row} now={now} />
      {row.writer && <p className={styles.note}>{row.writer} is writing an answer.</p>}
      {row.hasDraft && <p className={styles.note}>Your answer is a draft: it is not sent yet.</p>}
    </header>
  )
}

/**
 * Shows how much time is left to reply, in words and as a line. If
 * the lead has a follow-up, shows that instead.
 */
function PromiseLine({ row, now }: { row: LeadRow; now: number }) {
  if (row.followUpAt) return <p className={styles.note}>{followUpInWords(row.followUpAt, now)}</p>
  if (row.state !== 'open' || row.isSuspect) return null
  const { words, tone, share } = promiseLeft(row, now)
  return (
    <div className={`${styles.promise} ${tone === 'late' ? styles.late : ''}`}>
      <p className="row">
        <strong>{words}</strong> <span className="muted">Reply promised by {moment(row.dueAt, now)}</span>
      </p>
      <Gauge tone={tone} share={share} />
    </div>
  )
}

const followUpInWords = (at: string, now: number): string =>
  `Follow-up ${Date.parse(at) > now ? 'set for' : 'due'} ${followUpTime(at, now)}.`
