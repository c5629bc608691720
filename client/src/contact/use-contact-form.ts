import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { sending } from '#brand/words/form.ts'
import { failedText, noConnection } from '#brand/words/outcome.ts'
import { type ContactField, fieldsInFormOrder } from '#shared/contact-request.ts'
import { anchors, sentReferenceId } from '#shared/pages.ts'
import { nextFrame } from '../ui/next-frame.ts'
import { announce } from './announce.ts'
import { addWebsiteScheme, checkForm, type Errors } from './check-form.ts'
import { declareTool } from './declare-tool.ts'
import { createDraft } from './draft.ts'
import { releaseEarlySubmit } from './early-submit.ts'
import { fillSentPanel, loadDueTime } from './fill-sent-panel.ts'
import { recordFirstTouch } from './first-touch.ts'
import { createFormClues } from './form-clues.ts'
import { controlOf, type FormValues, readValues } from './form-values.ts'
import { createIdempotencyKeys } from './idempotency-key.ts'
import { createSendContact } from './send-contact.ts'
import { showChosenPlan } from './show-chosen-plan.ts'
import { createStoredJson } from './stored-json.ts'
import { dismissOutcome, toastFailed, toastSent } from './toasts.tsx'
import { useDraft } from './use-draft.ts'
import { useReplacedForm } from './use-replaced-form.ts'

const SECOND_MS = 1000
/** After this long, the page says that it is still trying. */
const LONG_WAIT_MS = 10_000

export type Phase =
  | { name: 'idle' }
  | { name: 'sending'; isLong: boolean }
  | { name: 'sent'; isNextStarted: boolean }
  | { name: 'failed'; detail: string | undefined; values: FormValues; retryAt: Date | undefined }

const openStorage = () => sessionStorage
const draft = createDraft(openStorage)
/** What the confirmation shows, so that a reload shows it again. */
type LastSent = { reference?: string; receivedAt?: string }
const lastSent = createStoredJson('contact.sent', openStorage)
const idempotencyKeys = createIdempotencyKeys({
  openStorage,
  randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
})
const clues = createFormClues({ fetch: (path) => fetch(path) })
const source = recordFirstTouch(openStorage, () => ({ url: location.href, referrer: document.referrer }))
const sendContact = createSendContact({
  fetch: (...request) => fetch(...request),
  clock: {
    now: () => Date.now(),
    wait: (ms) => new Promise((done) => setTimeout(done, ms)),
    timeout(ms) {
      // Not `AbortSignal.timeout`, which Safari 15.4 lacks.
      const controller = new AbortController()
      setTimeout(() => controller.abort(), ms)
      return controller.signal
    },
  },
  random: () => Math.random(),
})

const showSentPanel = () => moveTo(document.getElementById(anchors.sent), 'start')

/** Scrolls to an element and moves the focus there. Call it before showing a toast, which changes `scroll-padding`. */
function moveTo(element: HTMLElement | null, block: 'start' | 'center') {
  element?.scrollIntoView({ block })
  element?.focus({ preventScroll: true })
}

export function useContactForm() {
  const form = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const failure = useRef<HTMLDivElement>(null)
  const isSending = useRef(false)
  const [phase, setPhase] = useState<Phase>({ name: 'idle' })
  const [errors, setErrors] = useState<Errors>({})
  useReplacedForm(form)
  useDraft(form, draft)

  useEffect(() => {
    const last = lastSent.load() as LastSent | null
    // The server has inserted the reference if the last request was sent without JavaScript.
    if (!last?.reference || document.getElementById(sentReferenceId)?.textContent) return
    setPhase({ name: 'sent', isNextStarted: true })
    const show = () => fillSentPanel(last.reference, last.receivedAt ? new Date(last.receivedAt) : undefined)
    show()
    void loadDueTime().then(show)
  }, [])

  useEffect(() => {
    if (!form.current) return
    // Shows errors next to the fields instead of in the browser's bubbles.
    form.current.noValidate = true
    declareTool(form.current)
    releaseEarlySubmit()
    showChosenPlan(form.current)
  }, [])

  const retryAt = phase.name === 'failed' ? phase.retryAt : undefined
  useEffect(() => {
    if (!retryAt) return
    // Compares the time each second, because a long timer stands still while the device sleeps.
    const timer = setInterval(() => {
      if (form.current && Date.now() >= retryAt.getTime()) submit(form.current)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [retryAt])

  const showErrors = (found: Errors) => {
    flushSync(() => setErrors(found))
    const fields = fieldsInFormOrder.filter((field) => found[field])
    if (fields.length > 1) summary.current?.focus()
    else if (fields[0] && form.current) controlOf(form.current, fields[0])?.focus()
  }

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return
    isSending.current = true
    addWebsiteScheme(form)
    await send(form).finally(() => {
      isSending.current = false
    })
  }

  async function send(form: HTMLFormElement) {
    const { request, errors } = checkForm(form)
    dismissOutcome()
    if (errors) {
      setPhase({ name: 'idle' })
      return showErrors(errors)
    }
    setErrors({})
    const longWait = setTimeout(() => setPhase({ name: 'sending', isLong: true }), LONG_WAIT_MS)
    setPhase({ name: 'sending', isLong: false })
    announce(sending)
    const result = await sendContact(
      { ...request, ...clues.read(form) },
      idempotencyKeys.keyFor(JSON.stringify(request)),
      source,
    )
    clearTimeout(longWait)
    announce('')
    if (result.isSent) {
      form.reset()
      draft.clear()
      idempotencyKeys.forget()
      clues.forget()
      lastSent.save({ reference: result.reference, receivedAt: result.receivedAt })
      fillSentPanel(result.reference, result.receivedAt)
      showChosenPlan(form)
      flushSync(() => setPhase({ name: 'sent', isNextStarted: false }))
      showSentPanel()
      toastSent()
    } else {
      // The server has already received this key with different content, so the next attempt needs a new key.
      if (result.isConflict) idempotencyKeys.forget()
      const detail = result.detail ?? (navigator.onLine ? undefined : noConnection)
      const { retryAt } = result
      flushSync(() => setPhase({ name: 'failed', detail, values: readValues(form), retryAt }))
      const rejected = result.errors.map(({ field, message }) => [field, message])
      if (rejected.length === 0) moveTo(failure.current, 'center')
      toastFailed(result.detail ?? failedText)
      if (rejected.length > 0) showErrors(Object.fromEntries(rejected))
    }
  }

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The second click of a double click must not submit the empty form.
    if (phase.name === 'sent' && !phase.isNextStarted) return showSentPanel()
    const form = event.currentTarget
    await nextFrame()
    await submit(form)
  }

  /** Clears an error as soon as it is fixed; new errors appear on the next submit. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    showChosenPlan(event.currentTarget)
    if (phase.name === 'sent') setPhase({ name: 'sent', isNextStarted: true })
    // Whoever changes the text decides when to send it.
    if (retryAt && phase.name === 'failed') setPhase({ ...phase, retryAt: undefined })
    const field = (event.target as HTMLInputElement).name as ContactField
    if (!errors[field]) return
    const stillWrong = checkForm(event.currentTarget).errors?.[field]
    setErrors({ ...errors, [field]: stillWrong })
  }

  const onBlur = (event: FormEvent<HTMLFormElement>) => {
    if ((event.target as HTMLInputElement).name !== 'website') return
    addWebsiteScheme(event.currentTarget)
    onInput(event)
  }

  const onFocus = () => {
    clues.onTouch()
    loadDueTime()
  }

  return { form, summary, failure, phase, errors, onSubmit, onFocus, onInput, onBlur }
}
