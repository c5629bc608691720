import { type FocusEvent, type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { hints, purpose, restored } from '#brand/words/form.ts'
import { failedText, noConnection } from '#brand/words/outcome.ts'
import { type ContactField, contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { anchors, sentReferenceId } from '#shared/pages.ts'
import { type EmailTypo, findEmailTypo } from '#shared/text/find-email-typo.ts'
import { createFormClues } from './form-clues.ts'
import {
  choosePlan,
  controlOf,
  type Errors,
  type FormValues,
  fillEmpty,
  findErrors,
  planParameter,
  readValues,
} from './form-values.ts'
import { createSendContact } from './send-contact.ts'
import type { Sent } from './sent-panel.tsx'
import { createIdempotencyKeys, createStoredJson, recordFirstTouch } from './stored.ts'
import { dismissOutcome, notify, toastFailed, toastSent } from './toasts.tsx'

const SECOND_MS = 1000
const HIDDEN_MS = 100
// If the visitor leaves the field with a click, that click must end before the hint shifts the layout.
const HINT_DELAY_MS = 300
/** After this long, the page says that it is still trying. */
const LONG_WAIT_MS = 10_000
/** The count of characters shows from this length of the message on. */
const COUNTED_LENGTH = contactFields.message.maxLength - 500

type Phase =
  | { name: 'idle' }
  | { name: 'sending'; isLong: boolean }
  | { name: 'sent'; isNextStarted: boolean; last: Sent }
  | { name: 'failed'; detail: string | undefined; values: FormValues; retryAt: Date | undefined }

type Outcome = { values: FormValues; result: Awaited<ReturnType<typeof sendContact>> }

const openStorage = () => sessionStorage
/** The form's entries, kept across reloads. */
const draft = createStoredJson<Partial<FormValues>>('contact.draft', openStorage)
/** What the confirmation shows, so that a reload shows it again. */
const lastSent = createStoredJson<Sent>('contact.sent', openStorage)
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

/** Describes the form to AI agents in browsers (declarative WebMCP). The attributes aren't valid HTML yet. */
function declareTool(form: HTMLFormElement) {
  form.setAttribute('toolname', 'request_quote')
  form.setAttribute('tooldescription', purpose)
  for (const [field, hint] of Object.entries(hints))
    controlOf(form, field)?.setAttribute('toolparamdescription', hint)
}

function isRevisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type !== 'navigate'
}

const findShownPlan = () =>
  document.querySelector<HTMLElement>('form [data-plan]:not([hidden])')?.dataset.plan ?? ''

/** If React renders the page from scratch, moves the typed text and the focus from the prerendered form to the new one. */
function replaceForm(form: HTMLFormElement, old: HTMLFormElement, focused: HTMLInputElement | null) {
  fillEmpty(form, readValues(old))
  const { name = '', selectionStart, selectionEnd } = focused ?? {}
  const control = name ? controlOf(form, name) : null
  control?.focus({ preventScroll: true })
  // Some kinds of fields have no selection.
  if (typeof selectionStart === 'number')
    (control as HTMLInputElement | null)?.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
}

/** The form's state and its handlers. */
export function useContactForm() {
  const ref = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const failure = useRef<HTMLDivElement>(null)
  const isSending = useRef(false)
  const [phase, setPhase] = useState<Phase>({ name: 'idle' })
  const [errors, setErrors] = useState<Errors>({})
  // The server shows the lines of the plan in the URL. React must know, because it doesn't correct attributes when hydrating.
  const [plan, setPlan] = useState(() => (typeof document === 'undefined' ? '' : findShownPlan()))
  const [length, setLength] = useState(0)
  const [typo, setTypo] = useState<EmailTypo>()
  const [before] = useState(() =>
    typeof document === 'undefined'
      ? undefined
      : { form: document.querySelector('form'), focused: document.activeElement as HTMLInputElement | null },
  )

  useLayoutEffect(() => {
    if (ref.current && before?.form && before.form !== ref.current)
      replaceForm(ref.current, before.form, before.focused)
  }, [before])

  const readForm = (form: HTMLFormElement) => {
    const values = readValues(form)
    setPlan(values.budget)
    setLength(values.message.length < COUNTED_LENGTH ? 0 : values.message.length)
    return values
  }

  useEffect(() => {
    const form = ref.current
    if (!form) return
    // Shows errors next to the fields instead of in the browser's bubbles.
    form.noValidate = true
    declareTool(form)
    // This anchor means that the form was sent without JavaScript, so nothing has cleared the draft.
    if (location.hash === `#${anchors.sent}`) draft.clear()
    const saved = draft.load() ?? {}
    if (fillEmpty(form, saved)) notify(restored)
    const named = new URLSearchParams(location.search).get(planParameter)
    // After a reload or Back, the visitor's later choice overrides the plan in the URL.
    choosePlan(isRevisit() ? (saved.budget ?? named) : named)
    readForm(form)
    const last = lastSent.load()
    // The server has inserted the reference if the last request was sent without JavaScript.
    if (last?.reference && !document.getElementById(sentReferenceId)?.textContent)
      setPhase({ name: 'sent', isNextStarted: true, last })
  }, [])

  const retryAt = phase.name === 'failed' ? phase.retryAt : undefined
  useEffect(() => {
    if (!retryAt) return
    // Compares the time each second, because a long timer stands still while the device sleeps.
    const timer = setInterval(() => {
      if (ref.current && Date.now() >= retryAt.getTime()) submit(ref.current)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [retryAt])

  const showErrors = (found: Errors) => {
    flushSync(() => setErrors(found))
    const fields = contactFieldNames.filter((field) => found[field])
    if (fields.length > 1) summary.current?.focus()
    else if (fields[0] && ref.current) controlOf(ref.current, fields[0])?.focus()
  }

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return
    isSending.current = true
    // If the browser lacks an API that this needs, it must send the form itself.
    const sent = await send(form).catch(() => sendPlain(form))
    isSending.current = false
    if (sent) showOutcome(form, sent)
  }

  async function send(form: HTMLFormElement) {
    // The browser shows the pressed button before the slow work starts. A hidden tab renders no frames, so a timer ends the
    // wait.
    await new Promise((done) => {
      requestAnimationFrame(() => setTimeout(done))
      setTimeout(done, HIDDEN_MS)
    })
    const values = readValues(form)
    const found = findErrors(values)
    dismissOutcome()
    if (Object.keys(found).length > 0) {
      setPhase({ name: 'idle' })
      showErrors(found)
      return
    }
    setErrors({})
    const key = idempotencyKeys.keyFor(JSON.stringify(values))
    const longWait = setTimeout(() => setPhase({ name: 'sending', isLong: true }), LONG_WAIT_MS)
    setPhase({ name: 'sending', isLong: false })
    const result = await sendContact({ ...values, ...clues.read(form) }, key, source).finally(() =>
      clearTimeout(longWait),
    )
    return { values, result }
  }

  function sendPlain(form: HTMLFormElement) {
    flushSync(() => setPhase({ name: 'idle' }))
    if (form.reportValidity()) form.submit()
  }

  function showOutcome(form: HTMLFormElement, { values, result }: Outcome) {
    if (result.isSent) {
      form.reset()
      choosePlan('')
      draft.clear()
      idempotencyKeys.forget()
      clues.forget()
      setTypo(undefined)
      const last = { reference: result.reference, receivedAt: result.receivedAt?.toISOString() }
      lastSent.save(last)
      readForm(form)
      flushSync(() => setPhase({ name: 'sent', isNextStarted: false, last }))
      showSentPanel()
      toastSent()
    } else {
      // The server has already received this key with different content, so the next attempt needs a new key.
      if (result.isConflict) idempotencyKeys.forget()
      const detail = result.detail ?? (navigator.onLine ? undefined : noConnection)
      flushSync(() => setPhase({ name: 'failed', detail, values, retryAt: result.retryAt }))
      const rejected = result.errors.map(({ field, message }) => [field, message])
      if (rejected.length === 0) moveTo(failure.current, 'center')
      toastFailed(result.detail ?? failedText)
      if (rejected.length > 0) showErrors(Object.fromEntries(rejected))
    }
  }

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // The second click of a double click must not submit the empty form.
    if (phase.name === 'sent' && !phase.isNextStarted) showSentPanel()
    else submit(event.currentTarget)
  }

  /** Asks about a mistyped address when the visitor leaves the field. Never blocks submitting. */
  const onBlur = ({ target }: FocusEvent<HTMLFormElement, HTMLInputElement>) => {
    if (target.name === 'email') setTimeout(() => setTypo(findEmailTypo(target.value)), HINT_DELAY_MS)
  }

  /** Clears an error as soon as it is fixed; new errors appear on the next submit. */
  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const values = readForm(event.currentTarget)
    draft.save(values)
    if (phase.name === 'sent') setPhase({ ...phase, isNextStarted: true })
    // Whoever changes the text decides when to send it.
    if (retryAt && phase.name === 'failed') setPhase({ ...phase, retryAt: undefined })
    const field = (event.target as HTMLInputElement).name as ContactField
    if (field === 'email') setTypo(undefined)
    if (errors[field]) setErrors({ ...errors, [field]: findErrors(values)[field] })
  }

  const handlers = { onSubmit, onInput, onBlur, onFocus: clues.onTouch }
  return { ref, summary, failure, phase, errors, plan, length, typo, ...handlers }
}
