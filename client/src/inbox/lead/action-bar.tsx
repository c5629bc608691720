import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { telephoneLink } from '#shared/telephone-link.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { replyId } from '../frame/shortcuts.tsx'
import styles from './action-bar.module.css'
import { DoneMenu } from './done-menu.tsx'
import { ReplySheet } from './reply-sheet.tsx'

/** The next actions, within reach of a thumb. */
export function ActionBar({ lead }: { lead: LeadDetail }) {
  const [isReplying, setReplying] = useState(false)
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  // After an answer is undone, the reply reopens so that the owner can edit it.
  const undone: unknown = state?.reply
  useEffect(() => {
    if (!undone) return
    setReplying(true)
    // Clears the state in the history. Otherwise, a reload or the Back button would reopen the reply.
    navigate(pathname + search, { replace: true })
  }, [undone, navigate, pathname, search])

  const isCallFirst = lead.state === 'open' && Boolean(lead.phone && (lead.addressDoubt || lead.trouble))
  const call = lead.phone && (
    <ButtonLink
      kind={isCallFirst ? 'primary' : 'plain'}
      href={telephoneLink(lead.phone)}
      aria-label={`Call ${lead.phone}`}
    >
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
