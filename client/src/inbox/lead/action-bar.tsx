import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { openParameter } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { telephoneLink } from '#shared/telephone-link.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { replyId } from '../frame/shortcuts.tsx'
import styles from './action-bar.module.css'
import { DoneMenu, doneId } from './done-menu.tsx'
import { ReplySheet } from './reply-sheet.tsx'

/** Buttons for the usual next steps, at the bottom of the page, where a thumb reaches them. */
export function ActionBar({ lead }: { lead: LeadDetail }) {
  const [isReplying, setReplying] = useState(false)
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  // After an answer is undone, the reply sheet opens so that the owner can edit the answer. A link in a reminder opens the
  // reply sheet or the menu "Done", if the lead is still open.
  const undone: unknown = state?.reply
  const wanted = new URLSearchParams(search).get(openParameter)
  const isOpen = lead.state === 'open'
  const isAnswerable = isOpen || lead.stuckSince !== null
  useEffect(() => {
    if (!undone && !wanted) return
    if (undone || (wanted === 'reply' && isAnswerable)) setReplying(true)
    if (wanted === 'done' && isOpen) document.getElementById(doneId)?.click()
    // Clear the location's state and parameter: otherwise, a reload or the Back button would open the sheet or menu again.
    const rest = new URLSearchParams(search)
    rest.delete(openParameter)
    navigate({ pathname, search: String(rest) }, { replace: true })
  }, [undone, wanted, isOpen, isAnswerable, navigate, pathname, search])

  const callLink = telephoneLink(lead.phone)
  const isInTrouble = lead.stuckSince ?? (lead.state === 'open' && (lead.addressDoubt ?? lead.trouble))
  const isCallFirst = Boolean(callLink && isInTrouble)
  const call = callLink && (
    <ButtonLink kind={isCallFirst ? 'primary' : 'plain'} href={callLink} aria-label={`Call ${lead.phone}`}>
      Call
    </ButtonLink>
  )
  return (
    <>
      <footer className={styles.bar}>
        {isCallFirst && call}
        <Button
          id={replyId}
          kind={lead.state === 'open' && !lead.isSuspect && !isCallFirst ? 'primary' : 'plain'}
          onClick={() => setReplying(true)}
        >
          Reply
        </Button>
        {!isCallFirst && call}
        <DoneMenu lead={lead} />
      </footer>
      {isReplying && <ReplySheet lead={lead} onClose={() => setReplying(false)} />}
    </>
  )
}
