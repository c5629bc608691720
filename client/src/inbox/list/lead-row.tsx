import { memo } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadRow as Row } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import { passFocusOn } from '../ui/focus.ts'
import { Gauge } from '../ui/gauge.tsx'
import { aboutInWords, isLater, linesOf, marksOf, viewNames } from '../words/row-words.ts'
import { ago, followUpTime } from '../words/times.ts'
import styles from './lead-row.module.css'

type Props = { row: Row; now: number; isCurrent: boolean; isSelected: boolean; isNew: boolean }

/**
 * One row of the list. The whole row is a link, beside the box that
 * selects it: see use-selection.ts.
 */
export const RowOfLead = memo(function RowOfLead({ row, now, isCurrent, isSelected, isNew }: Props) {
  const { search } = useLocation()
  const { found } = row
  const marks = marksOf(row, now)
  return (
    <li
      ref={passFocusOn}
      className={styles.row}
      data-unread={row.isUnread || undefined}
      data-new={isNew || undefined}
      data-selected={isSelected || undefined}
    >
      <input
        type="checkbox"
        className={styles.box}
        aria-label={`Select ${row.name}`}
        value={row.reference}
        checked={isSelected}
        readOnly
      />
      <Link
        className={styles.link}
        to={`${inboxPath}/${row.reference}${search}`}
        aria-current={isCurrent ? 'true' : undefined}
        data-row={row.reference}
      >
        <span className={styles.name}>
          {row.isUnread && <span className={styles.mark} />}
          <bdi>{found === null ? <mark>{row.name}</mark> : row.name}</bdi>
        </span>
        <Standing row={row} now={now} />
        <span className={`muted ${styles.facts}`}>
          <bdi>{`${aboutInWords(row)},`}</bdi> <span>{ago(row.repliedAt ?? row.receivedAt, now)}</span>
        </span>
        {linesOf(row).map(([kind, text]) => (
          <span key={kind} dir="auto" className={styles[kind]}>
            {kind === 'words' && found ? (
              <>
                <span>{`${found.label}: ${found.before}`}</span>
                <mark>{found.match}</mark>
                <span>{found.after}</span>
              </>
            ) : (
              text
            )}
          </span>
        ))}
        {marks.length > 0 && (
          <span className={styles.marks}>
            {marks.map((mark) => (
              <strong key={mark} data-mark={mark}>
                {mark}
              </strong>
            ))}
          </span>
        )}
      </Link>
    </li>
  )
})

/**
 * How much time is left for the promised reply. If nobody is waiting
 * for one now, shows the lead's follow-up or state.
 */
function Standing({ row, now }: { row: Row; now: number }) {
  const { isSuspect, followUpAt, state } = row
  const isHidden = isLater(row, now)
  if (isSuspect || isHidden || state !== 'open') {
    const late = state === 'open' && Date.parse(row.dueAt) < now ? `, ${promiseLeft(row, now).words}` : ''
    const followUp = followUpAt && (isHidden ? `Back ${followUpTime(followUpAt, now)}${late}` : 'Follow up')
    return (
      // With a key, React replaces the whole element: it couldn't
      // remove a text alone that a translator has wrapped.
      <span key="state" className={styles.quiet}>
        {isSuspect ? 'Suspect' : (followUp ?? viewNames[row.result ?? state])}
      </span>
    )
  }
  const { words, tone, share } = promiseLeft(row, now)
  return (
    <span key="promise" className={`${styles.promise} ${styles[tone]}`}>
      <span>{words}</span>
      <Gauge tone={tone} share={share} />
    </span>
  )
}
