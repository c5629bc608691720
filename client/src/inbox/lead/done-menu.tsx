import { useContext, useState } from 'react'
import type { LeadDetail, LeadState } from '#shared/inbox/lead.ts'
import { copyText } from '../../contact/copy-text.ts'
import { useNotify } from '../frame/notices.ts'
import { useChange } from '../frame/use-change.ts'
import { Menu } from '../ui/menu.tsx'
import styles from './done-menu.module.css'
import { AskToErase } from './erase-person.tsx'
import { FollowUpSheet } from './follow-up-sheet.tsx'
import { leadAsText } from './lead-as-text.ts'
import { NoteSheet } from './note-sheet.tsx'

type Open = 'follow-up' | 'note'

/** The id of the button that opens the menu. */
export const doneId = 'done'

export function DoneMenu({ lead }: { lead: LeadDetail }) {
  const [open, setOpen] = useState<Open>()
  const askToErase = useContext(AskToErase)
  const change = useChange()
  const notify = useNotify()
  const { reference, state } = lead
  const mark = (to: LeadState) => () => change(reference, { kind: 'state', state: to })
  const copy = async () => {
    const isCopied = await copyText(leadAsText(lead))
    notify(
      isCopied
        ? { kind: 'done', text: 'Copied.' }
        : { kind: 'failed', text: 'The browser did not allow copying.' },
    )
  }
  const item = (text: string, onClick: () => void, className?: string) => (
    <li>
      <button type="button" className={className} onClick={onClick}>
        {text}
      </button>
    </li>
  )
  const canFollowUp = state === 'open' || state === 'answered'
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu buttonId={doneId} label="Done" className={styles.done}>
        {state === 'open' && item('I answered elsewhere', mark('answered'))}
        {state !== 'won' && state !== 'spam' && item('Won: the job is ours', mark('won'))}
        {state !== 'lost' && state !== 'spam' && item('Lost', mark('lost'))}
        {state === 'spam' && item('Not spam: reopen', mark('open'))}
        {state !== 'open' && state !== 'spam' && item('Reopen', mark('open'))}
        {canFollowUp && item('Follow up on…', () => setOpen('follow-up'))}
        {lead.followUpOn &&
          item('Remove the follow-up', () => change(reference, { kind: 'follow-up', on: null }))}
        {item('Add a note', () => setOpen('note'))}
        {item('Copy everything', copy)}
        {state !== 'spam' && !lead.isSuspect && item('Spam', mark('spam'))}
        {item('Erase this person…', () => askToErase(lead), styles.erase)}
      </Menu>
      {open === 'follow-up' && <FollowUpSheet lead={lead} onClose={close} />}
      {open === 'note' && <NoteSheet lead={lead} onClose={close} />}
    </>
  )
}
