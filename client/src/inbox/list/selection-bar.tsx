import { useState } from 'react'
import { type LeadRow, MAX_AT_ONCE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import bar from '../lead/action-bar.module.css'
import { FollowUpSheet } from '../lead/follow-up-sheet.tsx'
import { type LeadChange, useChangeSeveral } from '../lead/use-change.ts'
import { passFocusOn } from '../ui/focus.ts'
import { isWaiting } from '../words/row-words.ts'
import styles from './leads-page.module.css'
import type { Selection } from './use-selection.ts'

const isHonest = ({ state, isSuspect }: LeadRow) => !isSuspect && state !== 'spam'

/** Each button with its change, for which leads it makes sense, and its key. */
const actions: [string, LeadChange, (row: LeadRow) => boolean, key?: string][] = [
  ['Answered', { state: 'answered' }, isWaiting],
  ['Nothing to answer', { isAnswered: true }, isWaiting, 'e'],
  ['Won', { result: 'won' }, (row) => row.result !== 'won' && isHonest(row), 'w'],
  ['Lost', { result: 'lost' }, (row) => row.result !== 'lost' && isHonest(row), 'l'],
  ['Not spam', { state: 'open' }, ({ state, isSuspect }) => isSuspect || state === 'spam'],
  ['Spam', { state: 'spam' }, ({ state }) => state !== 'spam', '!'],
]

type Props = Pick<Selection, 'rows' | 'selectAll' | 'end'>

/** What can be done with all selected leads at once. */
export function SelectionBar({ rows, selectAll, end }: Props) {
  /** What was selected when the sheet was opened that asks for a time. */
  const [asked, setAsked] = useState<LeadRow[]>()
  const change = useChangeSeveral()
  const apply = (selected: LeadRow[], wanted: LeadChange) => {
    change(selected, wanted)
    end()
  }
  if (rows.length === 0 && !asked) return null
  const possible = actions.filter(([, , fits]) => rows.every(fits))
  // A lead that is already marked as spam stays as it is.
  const offered = possible.length > 0 ? possible : actions.slice(-1)
  return (
    <section
      ref={passFocusOn}
      className={`row ${bar.bar} ${styles.selection}`}
      aria-label="Selected requests"
      data-selection
    >
      <div className="row">
        <p role="status">
          {`${rows.length} selected${rows.length === MAX_AT_ONCE ? ', the most at a time' : ''}`}
        </p>
        {selectAll && (
          <button type="button" onClick={selectAll}>
            Select all
          </button>
        )}
        <button type="button" data-key="Escape" onClick={end}>
          Cancel
        </button>
      </div>
      {offered.map(([name, wanted, , key]) => (
        <Button key={name} kind="plain" data-key={key} onClick={() => apply(rows, wanted)}>
          {name}
        </Button>
      ))}
      {rows.every(isHonest) && (
        <Button kind="plain" data-key="f" onClick={() => setAsked(rows)}>
          Later…
        </Button>
      )}
      {asked && (
        <FollowUpSheet
          lead={asked.length === 1 ? asked[0] : undefined}
          onChoose={(followUpAt) => apply(asked, { followUpAt })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}
