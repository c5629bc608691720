import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type LeadDetail, MAX_ANSWER } from '#shared/inbox/lead.ts'
import { placeholdersIn } from '#shared/inbox/saved-replies.ts'
import { typoInWords } from '#shared/inbox/words.ts'
import { findEmailTypo } from '#shared/text/find-email-typo.ts'
import { Button } from '../../ui/button.tsx'
import { keyOfAnswer, useDraft } from '../data/draft.ts'
import { useDelayed } from '../data/timers.ts'
import { attachFiles, useUploads } from '../data/uploads.ts'
import { useOwner } from '../frame/session.tsx'
import { Address } from '../ui/address.tsx'
import { passFocusOn } from '../ui/focus.ts'
import { Sheet } from '../ui/sheet.tsx'
import { submitOnModifier, TypedText } from '../ui/typed-text.tsx'
import { AttachFiles, useFileDrop } from './attach-files.tsx'
import { ChooseReply, focusOnSlash, insertReply, isTemplate, signatureIn } from './choose-reply.tsx'
import { newsSince } from './news-since.ts'
import styles from './reply-sheet.module.css'
import { SinceLastAnswer } from './since-last-answer.tsx'
import { useMoveOn } from './use-move-on.ts'
import { useRecipient } from './use-recipient.ts'
import { useSendAnswer } from './use-send-answer.ts'

// After the lead has changed, the button pauses for this long: a
// press that was meant for what stood there before does nothing.
const READING_MS = 500

type Props = { lead: LeadDetail; onClose: () => void }

/**
 * Shows whom the answer goes to, a text box prefilled with the draft
 * or a template, and the visitor's message below it.
 */
export function ReplySheet({ lead, onClose }: Props) {
  const [atFirst] = useState(lead)
  const { to, setTo, other, why } = useRecipient(lead)
  // Whoever has written from an address has it. Correcting it would change that of the request.
  const isProven = lead.senders.some(({ address }) => address === to?.toLowerCase())
  const typo = to && !isProven && typoInWords(to)
  const correction = typo && findEmailTypo(to)?.correction
  const { session, isSignedIn } = useOwner()
  const answer = useSendAnswer(lead)
  const moveOn = useMoveOn(lead.reference)
  const draft = useDraft(lead, answer.isPending || !isSignedIn)
  const uploads = useUploads(lead.reference)
  const obstacle = uploads.some(({ isFailed }) => isFailed)
    ? 'A file is not attached: try again, or remove it.'
    : uploads.length > 0 && 'Wait until all files are uploaded, or remove them.'
  const [refused, setRefused] = useState<string>()
  const attach = (files: File[]) => {
    const before = [...lead.attached, ...uploads.map(({ file }) => file)]
    if (files.length > 0 && !answer.isPending) setRefused(attachFiles(lead.reference, files, before))
  }
  const drop = useFileDrop(attach)
  const seenVersion = useDelayed(lead.version, READING_MS)
  /** The version that the owner had seen when the press on a key or a button began. */
  const pressedVersion = useRef<number>(undefined)
  const beginPress = () => {
    pressedVersion.current = seenVersion
  }
  const form = useRef<HTMLFormElement>(null)
  const textBox = () => form.current?.querySelector('textarea')
  /** What still has to be filled in. */
  const open = placeholdersIn(draft.text).join(', ')
  const isEmpty = isTemplate(draft.text, lead.template)
  const news = answer.isPending ? undefined : newsSince(atFirst, lead, session.owner)
  const alerts = [
    open && `Please replace ${open}.`,
    news,
    refused,
    answer.error && !(news && answer.error.current) && `Not sent: ${answer.error.message}`,
  ]

  const send = (event: FormEvent) => {
    event.preventDefault()
    // Without a choice, the browser doesn't send the form.
    if (answer.isPending || to === undefined) return
    // React may not have rendered the latest keystrokes yet.
    const text = textBox()?.value ?? ''
    const files = lead.attached.map(({ id }) => id)
    const key = keyOfAnswer(lead, { text, to, files })
    const corrected = to === lead.email ? {} : { to }
    const version = pressedVersion.current ?? seenVersion
    pressedVersion.current = undefined
    answer.mutate({ text, key, version, files, ...corrected }, { onSuccess })
  }
  const onSuccess = () => {
    onClose()
    moveOn()
  }
  useEffect(() => {
    // Perhaps only the response was lost: the same request gets it, or else is refused.
    if (answer.isError && answer.error.isTransient) answer.mutate(answer.variables, { onSuccess })
  }, [lead.version])
  useLayoutEffect(() => {
    const box = textBox()
    if (box) placeCursor(box, lead)
  }, [])
  const lastInserted = useRef<string>(undefined)
  const insert = (reply: string) => {
    const box = textBox()
    if (!box || box.readOnly) return
    const text = insertReply(box, reply, { template: lead.template, last: lastInserted.current })
    // If it is all there is, the next one replaces it.
    lastInserted.current = text === reply ? text : undefined
    // Now, because the cursor is placed next.
    box.value = text
    draft.change(text)
    box.focus()
    if (text === reply) placeCursor(box, lead)
  }
  return (
    <Sheet title={`Answer ${lead.name}`} onClose={onClose} isTall {...drop}>
      <form
        ref={form}
        className={styles.form}
        onSubmit={send}
        onPointerDownCapture={beginPress}
        onKeyDownCapture={beginPress}
      >
        {other && (
          <fieldset className={styles.where}>
            <legend>Where should the answer go?</legend>
            {[other, lead.email].map((address) => (
              <label key={address} className="touch">
                <input
                  type="radio"
                  name="to"
                  required={to === undefined}
                  checked={to === address}
                  onChange={() => setTo(address)}
                  // After a press, not while arrow keys go through the choices.
                  onClick={({ detail }) => detail > 0 && textBox()?.focus()}
                />
                <span>
                  <Address>{address}</Address>{' '}
                  <span className="muted">({address === other ? why : 'on the request'})</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {to !== undefined && (
          <div className={styles.to}>
            <label className="muted" htmlFor="recipient">
              To
            </label>
            {/* Not `type="email"`: browsers refuse some addresses that work. The server checks. */}
            <input
              id="recipient"
              inputMode="email"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              value={to}
              onChange={({ target }) => setTo(target.value)}
              required
            />
          </div>
        )}
        <p role="status" className={`muted ${styles.quiet}`}>
          {/* That is how the server takes it. */}
          {to && to !== lead.email && !isProven && 'From now on, this is the address of the request.'}
        </p>
        {typo && (
          <p ref={passFocusOn} className="row">
            <strong>{correction ? 'Mistyped?' : typo}</strong>
            {correction && (
              <button type="button" onClick={() => setTo(correction)}>
                {`Use ${correction}`}
              </button>
            )}
          </p>
        )}
        {draft.theirs !== undefined && (
          <div ref={passFocusOn} className="stack" role="alert">
            <p className="error">Changed on another device. The draft there says:</p>
            <blockquote className="muted typed quote" dir="auto">
              {draft.theirs}
            </blockquote>
            <p className="row">
              <button type="button" onClick={draft.takeTheirs}>
                Use theirs
              </button>
              <button type="button" onClick={draft.keepMine}>
                Keep mine
              </button>
            </p>
          </div>
        )}
        <p role="status" className={styles.writer}>
          {lead.writer && `${lead.writer} is writing an answer.`}
        </p>
        <ChooseReply lead={lead} onChoose={insert} />
        <TypedText
          id="answer"
          aria-label="Your answer"
          text={draft.text}
          className={styles.text}
          onInput={(event) => {
            draft.change(event.currentTarget.value)
            focusOnSlash(event.currentTarget)
          }}
          // If "Send anyway" is asked for, only that button sends the answer.
          onKeyDown={news || refused || open ? undefined : submitOnModifier}
          maxLength={MAX_ANSWER}
          readOnly={answer.isPending}
        />
        <AttachFiles lead={lead} uploads={uploads} text={draft.text} onChoose={attach} />
        <div className={`row ${styles.send}`}>
          {alerts.map(
            (text) =>
              text && (
                <p key={text} className="error" role="alert">
                  {text}
                </p>
              ),
          )}
          <Button
            type="submit"
            isWorking={answer.isPending || seenVersion !== lead.version}
            disabled={Boolean(open || obstacle) || isEmpty}
          >
            {answer.isPending ? 'Sending…' : news || refused ? 'Send anyway' : 'Send'}
          </Button>
          <p className="muted">
            {isEmpty
              ? 'Write your answer first.'
              : obstacle || (draft.status ?? 'You can undo this for 15 seconds.')}
          </p>
        </div>
        <SinceLastAnswer lead={lead} />
      </form>
    </Sheet>
  )
}

/** Puts the cursor on the template's empty line for the answer, or else before the signature. */
function placeCursor(box: HTMLTextAreaElement, { template }: LeadDetail) {
  const signature = signatureIn(template)
  const gap = box.value.indexOf('\n\n\n')
  const end = box.value.replace(/\s+$/, '')
  const words = signature && end.endsWith(signature) ? end.slice(0, -signature.length).trimEnd() : box.value
  const at = gap < 0 ? words.length : gap + 2
  box.setSelectionRange(at, at)
}
