import { createContext, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import type { Remains } from '../data/changes.ts'
import { useNotify } from '../frame/notices.ts'
import { EraseSheet } from './erase-sheet.tsx'
import { RemainsSheet } from './remains-sheet.tsx'

/** Asks the owner whether to erase the person who sent this lead. */
export const AskToErase = createContext<(lead: LeadDetail) => void>(() => {})

/**
 * Shows the sheets about an erasure. They are outside the lead's page, because that page disappears with the lead, and
 * because the owner may go to another page before the erasure ends.
 */
export function ErasePerson({ children }: { children: ReactNode }) {
  const [lead, setLead] = useState<LeadDetail>()
  const [remains, setRemains] = useState<Remains & { email: string }>()
  const notify = useNotify()
  const navigate = useNavigate()
  const opened = useOpenedLead()

  const onEnd = (erased: LeadDetail, left: Remains) => {
    if (opened.current === erased.reference) navigate(inboxPath)
    if (left.files.length > 0) setRemains({ ...left, email: erased.email })
    else notify({ kind: 'done', text: `${erased.name} has been erased.` })
  }
  return (
    <AskToErase value={setLead}>
      {children}
      {lead && <EraseSheet lead={lead} onClose={() => setLead(undefined)} onEnd={onEnd} />}
      {remains && <RemainsSheet remains={remains} onClose={() => setRemains(undefined)} />}
    </AskToErase>
  )
}

/** The reference of the open lead, in a React ref because the owner may open another lead during an erasure. */
function useOpenedLead() {
  const { reference } = useParams()
  const opened = useRef(reference)
  useEffect(() => {
    opened.current = reference
  }, [reference])
  return opened
}
