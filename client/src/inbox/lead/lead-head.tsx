import { Link, useSearchParams } from 'react-router-dom'
import { plans } from '#facts/plans.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { formatMoney } from '#shared/money.ts'
import { stateNames } from '../words/lead-words.ts'
import { planName } from '../words/plan-name.ts'
import { ago } from '../words/times.ts'
import { useNow } from '../words/use-now.ts'
import styles from './lead-head.module.css'
import { PromiseLine } from './promise-line.tsx'

/** Shows who is asking, for which plan, and how much time is left. Looks like the title block of a technical drawing. */
export function LeadHead({ row }: { row: LeadRow }) {
  const [parameters] = useSearchParams()
  const now = useNow()
  const view = parameters.get('view')
  const plan = plans.find(({ id }) => id === row.budget)
  const price = plan ? `, ${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month` : ''
  return (
    <header className={styles.head}>
      <Link className={styles.back} to={view ? `${inboxPath}?view=${view}` : inboxPath}>
        <span aria-hidden="true">←</span> All requests
      </Link>
      <p className={styles.reference}>
        <span>{row.reference}</span>
        <span className={styles.state} data-state={row.state}>
          {row.isSuspect ? 'Suspect' : stateNames[row.state]}
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
    </header>
  )
}
