import { type LeadDetail, MAX_NOTE } from '#shared/inbox/lead.ts'
import { TextField } from '../../ui/field.tsx'
import { useNow } from '../data/timers.ts'
import { Sheet } from '../ui/sheet.tsx'
import { TypedText } from '../ui/typed-text.tsx'
import { answerTimes } from '../words/usual-times.ts'
import { FollowUpTimes, PromiseStays } from './follow-up-sheet.tsx'
import { NewsWhileOpen } from './news-while-open.tsx'
import { useNote } from './note-sheet.tsx'
import styles from './time-choices.module.css'
import { TimeButtons } from './time-choices.tsx'
import { useChange } from './use-change.ts'

const NO_ANSWER = 'Called, no answer.'

/** `asksIfReached`: whether the person may have been reached. */
type Props = { lead: LeadDetail; asksIfReached: boolean; onClose: () => void }

/**
 * Asks what came of a call. One press stores that and a note and, if nobody took it, when to try
 * again.
 */
export function CallSheet({ lead, asksIfReached, onClose }: Props) {
  const now = useNow()
  const change = useChange(lead)
  const { text, keep } = useNote(lead)
  // Of a follow-up, only that it is done is stored.
  const times = answerTimes(lead.receivedAt, now)
  const reached = (at: string) => {
    onClose()
    const note = text.trim() || undefined
    if (lead.state === 'open') change({ state: 'answered', answered: { at, by: 'phone', note } })
    else change({ followUpAt: null, note: `Reached by phone. ${text}`.trim() })
  }
  const tryAgain = (followUpAt: string) => {
    onClose()
    change({ followUpAt, note: `${NO_ANSWER} ${text}`.trim() })
  }
  return (
    <Sheet title={asksIfReached ? `Did you reach ${lead.name}?` : 'Called, no answer'} onClose={onClose}>
      <NewsWhileOpen lead={lead} />
      <TextField
        as={TypedText}
        id="call-note"
        label="Note"
        hint="optional; only owners see it"
        // On a phone, a keyboard would cover the buttons.
        data-first={matchMedia('(pointer: fine)').matches || undefined}
        required={false}
        className={styles.note}
        text={text}
        maxLength={MAX_NOTE - NO_ANSWER.length - 1}
        onInput={(event) => keep(event.currentTarget.value)}
      />
      {asksIfReached && (
        <section className="stack">
          <h3>Reached</h3>
          <TimeButtons choices={lead.state === 'open' ? times : times.slice(0, 1)} onChoose={reached} />
        </section>
      )}
      <section className={`stack ${styles.again}`}>
        {asksIfReached && <h3>No answer: try again</h3>}
        <PromiseStays lead={lead} />
        <FollowUpTimes lead={lead} onChoose={tryAgain} />
      </section>
    </Sheet>
  )
}
