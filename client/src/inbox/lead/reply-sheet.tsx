import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { type LeadDetail, MAX_ANSWER } from '#shared/inbox/lead.ts'
import { Button } from '../../ui/button.tsx'
import { clickSubmit } from '../../ui/click-submit.ts'
import { useSendAnswer } from '../data/answers.ts'
import type { DraftState } from '../data/draft-saver.ts'
import { useDraft } from '../data/use-draft.ts'
import { useNotify } from '../frame/notices.ts'
import { useOwner } from '../frame/session.ts'
import { Sheet } from '../ui/sheet.tsx'
import { newsSince } from './news-since.ts'
import { RecipientField } from './recipient-field.tsx'
import styles from './reply-sheet.module.css'

const draftStates: Record<DraftState, string> = {
  saved: 'Draft saved',
  saving: 'Saving the draft…',
  unsaved: 'The draft is not saved yet',
  rejected: 'The draft is too long to be saved',
}

type Props = { lead: LeadDetail; onClose: () => void }

/** Shows whom the answer goes to, a text box prefilled with the draft or a template, and the visitor's message below it. */
export function ReplySheet({ lead, onClose }: Props) {
  const [seen] = useState(lead)
  const [corrected, setCorrected] = useState<string>()
  const text = useRef<HTMLTextAreaElement>(null)
  const hasCursor = useRef(false)
  const draft = useDraft(lead, text)
  const answer = useSendAnswer(lead.reference)
  const notify = useNotify()
  const news = newsSince(seen, lead, useOwner().session.owner)
  const isOld = news !== undefined && !answer.isRunning

  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (answer.isRunning) return
    const queued = await answer.run({
      text: text.current?.value ?? '',
      version: lead.version,
      ...(corrected !== undefined && corrected !== lead.email && { to: corrected }),
    })
    if (!queued) return
    notify({ kind: 'answer', reference: lead.reference, name: lead.firstName || lead.name, ...queued })
    onClose()
  }
  const sendOnModifier = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // If the lead has changed, only the button "Send anyway" sends the answer.
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && !isOld)
      clickSubmit(event.currentTarget.form)
  }
  return (
    <Sheet title={`Answer ${lead.name}`} onClose={onClose} isTall>
      <form className={styles.form} onSubmit={send}>
        <RecipientField address={corrected ?? lead.email} onChange={setCorrected} />
        {draft.isAdded && (
          <p className={styles.added} role="status">
            Text you wrote on another device was added below.
          </p>
        )}
        <label htmlFor="answer" className="visually-hidden">
          Your answer
        </label>
        <textarea
          ref={text}
          id="answer"
          dir="auto"
          className={styles.text}
          defaultValue={draft.start}
          onFocus={(event) => {
            if (!hasCursor.current) placeCursor(event.currentTarget)
            hasCursor.current = true
          }}
          onInput={draft.save}
          onKeyDown={sendOnModifier}
          maxLength={MAX_ANSWER}
          required
          data-first
        />
        <div className={styles.send}>
          {isOld && (
            <p className={styles.error} role="alert">
              {news}
            </p>
          )}
          {answer.error && !(isOld && answer.error.current) && (
            <p className={styles.error} role="alert">
              Not sent: {answer.error.message}
            </p>
          )}
          <Button type="submit" disabled={answer.isRunning}>
            {answer.isRunning ? 'Sending…' : isOld ? 'Send anyway' : 'Send'}
          </Button>
          <p>{draft.isTouched ? draftStates[draft.state] : 'You can undo this for 15 seconds.'}</p>
        </div>
        <blockquote className={styles.quote}>
          <p dir="auto">{lead.message}</p>
        </blockquote>
      </form>
    </Sheet>
  )
}

/** Puts the cursor on the template's empty line for the answer, or else at the end. */
function placeCursor(text: HTMLTextAreaElement) {
  const gap = text.value.indexOf('\n\n\n')
  const at = gap < 0 ? text.value.length : gap + 2
  text.setSelectionRange(at, at)
}
