import { useState } from 'react'
import { type LeadRow, MAX_AT_ONCE } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { endSelectionId } from '../frame/shortcuts.tsx'
import bar from '../lead/action-bar.module.css'
import { FollowUpSheet } from '../lead/follow-up-sheet.tsx'
import type { LeadChange } from '../lead/use-change.ts'
import styles from './leads-page.module.css'
import { useChangeSeveral } from './use-change-several.ts'

/** Each button with its change, and for which leads it makes sense. */
const actions: [string, LeadChange, (row: LeadRow) => boolean][] = [
  ['Answered', { state: 'answered' }, ({ state, isSuspect }) => state === 'open' && !isSuspect],
  ['Nothing to answer', { isAnswered: true }, ({ state, isSuspect }) => state === 'open' && !isSuspect],
  ['Won', { result: 'won' }, ({ state, result }) => result !== 'won' && state !== 'spam'],
  ['Lost', { result: 'lost' }, ({ state, result }) => result !== 'lost' && state !== 'spam'],
  ['Not spam', { state: 'open' }, ({ state, isSuspect }) => isSuspect || state === 'spam'],
  ['Spam', { state: 'spam' }, ({ state }) => state !== 'spam'],
]
const canFollowUp = ({ state, isSuspect }: LeadRow) =>
  !isSuspect && (state === 'open' || state === 'answered')

type Props = { rows: LeadRow[]; onEnd: () => void }

/** What can be done with all selected leads at once. */
export function SelectionBar({ rows, onEnd }: Props) {
  const [isAsking, setAsking] = useState(false)
  const change = useChangeSeveral()
  const apply = (wanted: LeadChange) => {
    change(rows, wanted)
    onEnd()
  }
  const possible = actions.filter(([, , fits]) => rows.every(fits))
  // A lead that is already marked as spam stays as it is.
  const offered = possible.length > 0 ? possible : actions.slice(-1)
  return (
    <section className={`row ${bar.bar} ${styles.selection}`} aria-label="Selected requests">
      <p role="status">
        {rows.length} selected{rows.length === MAX_AT_ONCE && ', the most at a time'}
      </p>
      {offered.map(([name, wanted]) => (
        <Button key={name} kind="plain" onClick={() => apply(wanted)}>
          {name}
        </Button>
      ))}
      {rows.every(canFollowUp) && (
        <Button kind="plain" onClick={() => setAsking(true)}>
          Follow up on…
        </Button>
      )}
      <Button id={endSelectionId} kind="plain" onClick={onEnd}>
        Cancel
      </Button>
      {isAsking && (
        <FollowUpSheet onChoose={(followUpAt) => apply({ followUpAt })} onClose={() => setAsking(false)} />
      )}
    </section>
  )
}
