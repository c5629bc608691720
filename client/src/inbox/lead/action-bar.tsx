import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { apiPath, openParameter } from '#shared/inbox/api.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { telephoneLink } from '#shared/text/telephone-link.ts'
import { copyText } from '../../contact/copy-text.ts'
import button from '../../ui/button.module.css'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { pathOf } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { useFresh } from '../frame/session.tsx'
import { Address } from '../ui/address.tsx'
import { Menu } from '../ui/menu.tsx'
import { isWaiting } from '../words/row-words.ts'
import styles from './action-bar.module.css'
import { AnsweredSheet } from './answered-sheet.tsx'
import { CallSheet } from './call-sheet.tsx'
import { FollowUpSheet } from './follow-up-sheet.tsx'
import { NoteSheet } from './note-sheet.tsx'
import { ReplySheet } from './reply-sheet.tsx'
import { type LeadChange, useChange } from './use-change.ts'

// The second tap of a double tap still finds the button, and not what the sheet shows there.
export const DOUBLE_TAP_MS = 500

type SheetName = 'reply' | 'called' | 'no-answer' | 'answered' | 'follow-up' | 'note'

/** `onErase`: is called with the address of the person to erase. */
type Props = { lead: LeadDetail; onErase: (address: string) => void }

/** Buttons for the usual next steps, at the bottom of the page, where a thumb reaches them. */
export function ActionBar({ lead, onErase }: Props) {
  const [open, setOpen] = useState<SheetName>()
  const opening = useRef<number>(undefined)
  const show = (sheet?: SheetName) => {
    clearTimeout(opening.current)
    setOpen(sheet)
  }
  const close = () => show()
  const askLater = () => {
    clearTimeout(opening.current)
    opening.current = window.setTimeout(setOpen, DOUBLE_TAP_MS, 'called')
  }
  useOpenOnArrival(lead, setOpen)
  const change = useChange(lead)
  const callLink = telephoneLink(lead.phone)
  const isInTrouble = lead.stuckSince ?? (lead.state === 'open' && (lead.addressDoubt ?? lead.trouble))
  const isCallFirst = Boolean(callLink && isInTrouble)
  const call = callLink && (
    <ButtonLink
      kind={isCallFirst ? 'primary' : 'plain'}
      href={callLink}
      aria-label={`Call ${lead.phone}`}
      data-key="c"
      onClick={() => isCallAwaited(lead) && askLater()}
    >
      Call
    </ButtonLink>
  )
  return (
    <>
      <footer className={`row ${styles.bar}`}>
        {isCallFirst && call}
        <Button
          data-key="r"
          kind={isWaiting(lead) && !isCallFirst ? 'primary' : 'plain'}
          onClick={() => show('reply')}
        >
          Reply
        </Button>
        {!isCallFirst && call}
        {lead.state !== 'spam' && (
          <Button data-key="f" kind="plain" onClick={() => show('follow-up')}>
            Later
          </Button>
        )}
        <DoneMenu lead={lead} onErase={onErase} onOpen={show} onChange={change} />
      </footer>
      {open === 'reply' && <ReplySheet lead={lead} onClose={close} />}
      {open === 'answered' && <AnsweredSheet lead={lead} onClose={close} />}
      {(open === 'called' || open === 'no-answer') && (
        <CallSheet lead={lead} asksIfReached={open === 'called'} onClose={close} />
      )}
      {open === 'follow-up' && (
        <FollowUpSheet lead={lead} onChoose={(followUpAt) => change({ followUpAt })} onClose={close} />
      )}
      {open === 'note' && <NoteSheet lead={lead} onClose={close} />}
    </>
  )
}

/**
 * A link in an email, and the undo of an answer, open the reply sheet, if there is still something
 * to write. Another link asks when the lead was answered.
 */
function useOpenOnArrival(
  { state, stuckSince, followUpAt, hasDraft }: LeadDetail,
  open: (sheet: SheetName) => void,
) {
  const [parameters, setParameters] = useSearchParams()
  const wanted = parameters.get(openParameter)
  useEffect(() => {
    if (!wanted) return
    const isOpen = state === 'open'
    if (wanted === 'reply' && (isOpen || stuckSince || followUpAt || hasDraft)) open('reply')
    if (wanted === 'done' && (isOpen || followUpAt)) open('answered')
    // Otherwise, a reload or the Back button would open the sheet again.
    parameters.delete(openParameter)
    setParameters(parameters, { replace: true })
  }, [wanted])
}

type MenuProps = Props & {
  onOpen: (sheet: SheetName) => void
  onChange: (change: LeadChange) => void
}

function DoneMenu({ lead, onErase, onOpen, onChange }: MenuProps) {
  const notify = useNotify()
  const fresh = useFresh()
  const { state, result } = lead
  const copy = async () => {
    const isCopied = await copyText(inPlainText(lead))
    const text = isCopied ? 'Copied.' : 'The browser did not allow copying.'
    notify({ kind: isCopied ? 'done' : 'failed', text })
  }
  /** `message`: the number of one that came from another address. */
  const showPerson = async (message?: number) => {
    if (!(await fresh('To see everything about a person, please sign in again.'))) return
    const sender = message === undefined ? '' : `&message=${message}`
    const page = `${apiPath}${pathOf(lead.reference)}/person?format=html${sender}`
    // After a dialog, the browser may refuse to open another tab.
    if (!window.open(page)) location.assign(page)
  }
  const entry = (text: ReactNode, onClick: () => void, key?: string) => (
    <button type="button" data-key={key} onClick={onClick}>
      {text}
    </button>
  )
  const change = (text: string, wanted: LeadChange, key?: string) => entry(text, () => onChange(wanted), key)
  const isSpam = state === 'spam'
  const people: { address: string; event?: number }[] = [{ address: lead.email }, ...lead.senders]
  return (
    <Menu label="Done" className={`${button.button} ${button.plain}`}>
      {isWaiting(lead) && <li>{change('Nothing to answer', { isAnswered: true }, 'e')}</li>}
      {(state === 'open' || isCallAwaited(lead)) && (
        <li>{entry('I answered elsewhere…', () => onOpen('answered'))}</li>
      )}
      {isCallAwaited(lead) && telephoneLink(lead.phone) && (
        <li>{entry('Called, no answer…', () => onOpen('no-answer'))}</li>
      )}
      {lead.followUpAt && <li>{change('Remove the follow-up', { followUpAt: null })}</li>}
      {isSpam && <li>{change('Not spam: reopen', { state: 'open' })}</li>}
      {state === 'answered' && <li>{change('Reopen', { state: 'open' })}</li>}
      {!isSpam && (
        <li className={styles.pair}>
          {result !== 'won' && change('Won the job', { result: 'won' }, 'w')}
          {result !== 'lost' && change('Lost', { result: 'lost' }, 'l')}
          {result && change(`Not ${result} after all`, { result: null })}
        </li>
      )}
      <li className={styles.pair}>
        {entry('Add a note', () => onOpen('note'), 'n')}
        {entry('Copy the request', copy)}
      </li>
      {!isSpam && !lead.isSuspect && <li>{change('Spam', { state: 'spam' }, '!')}</li>}
      {people.map(({ address, event }) => {
        const person = event === undefined ? 'this person' : <Address>{address}</Address>
        return (
          <Fragment key={address}>
            <li>{entry(<span>Everything about {person}</span>, () => showPerson(event))}</li>
            <li className={styles.erase}>{entry(<span>Erase {person}…</span>, () => onErase(address))}</li>
          </Fragment>
        )
      })}
    </Menu>
  )
}

/** Whether something comes of a call: the person waits, or an owner wanted to follow up. */
const isCallAwaited = ({ state, isSuspect, followUpAt }: LeadDetail): boolean =>
  !isSuspect && (state === 'open' || (state !== 'spam' && Boolean(followUpAt)))

/** The request as plain text, for pasting elsewhere. */
function inPlainText(lead: LeadDetail): string {
  const fields = ['email', ...detailFields] as const
  const facts = [
    ['Reference', lead.reference],
    ['Name', lead.name],
    ...fields.map((field) => [contactFields[field].label, lead[field]]),
    ['Plan', planName(lead.budget)],
  ]
  const lines = facts.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\n')}\n\n${lead.message}\n`
}
