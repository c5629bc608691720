import { type FormEvent, type RefObject, useEffect, useReducer, useRef } from 'react'
import { flushSync } from 'react-dom'
import { failedText, noConnection, noResponse, sentText } from '#brand/words/outcome.ts'
import type { ContactField } from '#shared/contact-request.ts'
import { anchors, sentReferenceId } from '#shared/pages.ts'
import { createFormClues } from './form-clues.ts'
import { nextState } from './form-state.ts'
import { controlOf, type Errors, type FormValues, findErrors, readValues } from './form-values.ts'
import { type SendOutcome, sendContact } from './send-contact.ts'
import type { Sent } from './sent-panel.tsx'
import { createIdempotencyKeys, createStoredJson, recordFirstTouch } from './stored.ts'
import { dismissOutcome, notify } from './toasts.tsx'

const SECOND_MS = 1000
const HIDDEN_MS = 100
/** After this long, the page says that it is still trying. */
const LONG_WAIT_MS = 10_000

/** What the confirmation shows, so that a reload shows it again. */
const lastSent = createStoredJson<Sent>('contact.sent')
const idempotencyKeys = createIdempotencyKeys()
const clues = createFormClues()
const source = recordFirstTouch()

/** Sends the form, and moves the focus to what became of it. `clear` empties it. */
export function useSending(ref: RefObject<HTMLFormElement | null>, clear: (form: HTMLFormElement) => void) {
  const isSending = useRef(false)
  const [state, dispatch] = useReducer(nextState, { name: 'idle', errors: {} })

  useEffect(() => {
    // Shows errors next to the fields instead of in the browser's bubbles.
    if (ref.current) ref.current.noValidate = true
    const last = lastSent.load()
    // The server has inserted the reference if the last request was sent without JavaScript.
    if (last?.reference && !document.getElementById(sentReferenceId)?.textContent) {
      // The URL may have chosen the plan again.
      const { budget: _, ...typed } = ref.current ? readValues(ref.current) : {}
      const isNextStarted = Object.values(typed).some(Boolean)
      dispatch({ name: 'sent', isNextStarted, last, errors: {} })
    }
  }, [])

  const retryAt = state.name === 'failed' ? state.retryAt : undefined
  useEffect(() => {
    if (!retryAt) return
    // Compares the time each second, because a long timer stands still while the device sleeps.
    const timer = setInterval(() => {
      if (ref.current && Date.now() >= retryAt.getTime()) submit(ref.current)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [retryAt])

  /** Moves the focus to the list of errors or, if there is only one, to its field. */
  const focusErrors = (form: HTMLFormElement) =>
    form.querySelector<HTMLElement>('#error-summary, [aria-invalid]')?.focus()

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return
    isSending.current = true
    // If the browser lacks an API that this needs, it must send the form itself.
    const sent = await send(form).catch(() => sendPlain(form))
    isSending.current = false
    if (sent) showOutcome(form, sent)
  }

  async function send(form: HTMLFormElement) {
    await nextFrame()
    const values = readValues(form)
    const errors = findErrors(values)
    dismissOutcome()
    if (Object.keys(errors).length > 0) {
      flushSync(() => dispatch({ name: 'idle', errors }))
      return focusErrors(form)
    }
    const key = idempotencyKeys.keyFor(JSON.stringify(values))
    const sending = { name: 'sending', isLong: false, errors } as const
    dispatch(sending)
    const longWait = setTimeout(() => dispatch({ ...sending, isLong: true }), LONG_WAIT_MS)
    const request = sendContact({ ...values, ...clues.read(form) }, key, source)
    const result = await request.finally(() => clearTimeout(longWait))
    return { values, result }
  }

  function sendPlain(form: HTMLFormElement) {
    flushSync(() => dispatch({ name: 'idle', errors: {} }))
    if (form.reportValidity()) form.submit()
  }

  /** `values`: what was sent. Meanwhile, buttons of the page can have changed the fields. */
  function showOutcome(
    form: HTMLFormElement,
    { values, result }: { values: FormValues; result: SendOutcome },
  ) {
    if (result.isSent) {
      clear(form)
      idempotencyKeys.forget()
      clues.forget()
      const { reference } = result
      const last = { email: values.email, reference, receivedAt: result.receivedAt?.toISOString() }
      lastSent.save(last)
      flushSync(() => dispatch({ name: 'sent', isNextStarted: false, last, errors: {} }))
      // Before the toast, which changes `scroll-padding`.
      const confirmation = document.getElementById(anchors.sent)
      confirmation?.scrollIntoView({ block: 'start' })
      confirmation?.focus({ preventScroll: true })
      notify(sentText, 'success')
      return
    }
    // The server has already received this key with different content, so the next attempt needs a
    // new key.
    if (result.isConflict) idempotencyKeys.forget()
    const detail = result.detail ?? (navigator.onLine ? noResponse : noConnection)
    const errors: Errors = Object.fromEntries(result.errors.map(({ field, message }) => [field, message]))
    flushSync(() => {
      dispatch({ name: 'failed', detail, values, retryAt: result.retryAt, errors })
      notify(result.detail ?? failedText, 'error')
    })
    if (result.errors.length > 0) return focusErrors(form)
    const notice = document.getElementById('not-sent')
    notice?.focus({ preventScroll: true })
    // The toast must cover neither the notice nor, above it, the button.
    notice?.scrollIntoView({ block: 'center' })
  }

  return {
    state,
    onFocus: clues.onTouch,

    onInput({ currentTarget, target }: FormEvent<HTMLFormElement>) {
      const field = (target as HTMLInputElement).name as ContactField
      dispatch({ name: 'input', field, values: readValues(currentTarget) })
    },

    onSubmit(event: FormEvent<HTMLFormElement>) {
      event.preventDefault()
      submit(event.currentTarget)
    },

    /** Shows the form for another request. */
    startNext() {
      // The toast would cover the first field.
      dismissOutcome()
      if (state.name === 'sent') flushSync(() => dispatch({ ...state, isNextStarted: true }))
      if (ref.current) controlOf(ref.current, 'firstName')?.focus()
    },
  }
}

/** The browser shows the pressed button before the slow work starts. */
const nextFrame = () =>
  new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done))
    // A hidden tab renders no frames.
    setTimeout(done, HIDDEN_MS)
  })
