import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import * as z from 'zod/mini'
import { english } from '#shared/computed-facts.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { callApi, serverNow } from '../data/api.ts'
import { forgetLead, pathOf, refresh } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { useFresh } from '../frame/session.tsx'
import { Address } from '../ui/address.tsx'
import { Sheet } from '../ui/sheet.tsx'

// Longer than the server takes to respond: at most 50 s, even if it is still erasing.
const TIMEOUT_MS = 60_000

/** Files on the server that could not be changed, and that may still contain the address. */
const erasure = z.object({ notErased: z.array(z.string()) })

const DAY_MS = 24 * 60 * 60 * 1000
const backupsEnd = () =>
  new Date(serverNow() + BACKUP_DAYS * DAY_MS).toLocaleDateString(english, { dateStyle: 'long' })

/** `address`: the lead's, or another one from which somebody has written. */
type Props = { lead: LeadDetail; address: string; onClose: () => void }

/** Erasing can't be undone, so the owner must confirm it by typing the person's email address. */
export function EraseSheet({ lead, address: email, onClose }: Props) {
  const { reference } = lead
  const isSender = email === lead.email
  const name = isSender ? lead.name : email
  const [typed, setTyped] = useState('')
  const [mistake, setMistake] = useState<string>()
  const notify = useNotify()
  const navigate = useNavigate()
  const fresh = useFresh()
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () =>
      callApi(`${pathOf(reference)}/erase`, erasure, {
        method: 'POST',
        body: { email: typed.trim() },
        timeoutMs: TIMEOUT_MS,
      }),
    onSuccess: ({ notErased }) => {
      if (isSender) forgetLead(reference)
      if (notErased.length > 0) return
      notify({ kind: 'done', text: `${name} has been erased.` })
      onClose()
      if (isSender) navigate(inboxPath)
    },
    onSettled: () => void refresh(),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isRight = typed.trim().toLowerCase() === email.toLowerCase()
    setMistake(isRight ? undefined : `To erase this person, type ${email}.`)
    if (isRight && (await fresh('To erase a person, please sign in again.'))) mutate()
  }
  if (data)
    return (
      <Sheet key="remains" title="Not everything was erased" onClose={onClose}>
        <Remains files={data.notErased} email={email} />
      </Sheet>
    )
  return (
    <Sheet key="erase" title="Erase this person" onClose={isPending ? undefined : onClose}>
      <p>
        {isSender ? (
          <>All requests from {email}, with notes and answers, are erased for good.</>
        ) : (
          <>
            All messages and requests from <Address>{email}</Address>, and your answers to that address, are
            erased for good. The request of {lead.name} stays.
          </>
        )}{' '}
        Emails in your own mailbox stay. Backups can contain them until {backupsEnd()}; a restore erases them
        again.
      </p>
      <form className="stack form" onSubmit={submit} noValidate>
        <TextField
          id="erase"
          label="Type the person’s address"
          error={mistake ?? error?.message}
          data-first
          type="email"
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" isWorking={isPending}>
          {isPending ? 'Erasing…' : 'Erase for good'}
        </Button>
      </form>
    </Sheet>
  )
}

/** What is left after a partial erasure, and what to do about it. */
function Remains({ files, email }: { files: string[]; email: string }) {
  return (
    <>
      <p>These files on the server could not be erased and may still contain {email}:</p>
      <ul className="quote">
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
      <p>
        Close other programs that use them. A “leads-before-restore” file can be deleted instead; never delete
        leads.db. Then erase again, with this command on the server:
      </p>
      <p className="quote">
        <code>npm run leads -- erase {email}</code>
      </p>
    </>
  )
}
