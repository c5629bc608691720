import { type FocusEvent, type FormEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { restored } from '#brand/words/form.ts'
import { contactFields } from '#shared/contact-request.ts'
import { anchors } from '#shared/pages.ts'
import { type EmailTypo, findEmailTypo } from '#shared/text/find-email-typo.ts'
import {
  choosePlan,
  controlOf,
  type FormValues,
  fillEmpty,
  planParameter,
  readValues,
} from './form-values.ts'
import { createStoredJson } from './stored.ts'
import { notify } from './toasts.tsx'

// If the visitor leaves the field with a click, that click must end before the hint shifts the
// layout.
const HINT_DELAY_MS = 300
/** The count of characters shows from this length of the message on. */
const COUNTED_LENGTH = contactFields.message.maxLength - 500

/** The form's entries, kept across reloads. */
const stored = createStoredJson<Partial<FormValues>>('contact.draft')

/** Keeps what the visitor types, and returns what the form shows about it. */
export function useFormDraft(ref: RefObject<HTMLFormElement | null>) {
  // The server shows the lines of the plan in the URL. React must know, because it doesn't correct
  // attributes when hydrating.
  const [plan, setPlan] = useState(findShownPlan)
  const [length, setLength] = useState(0)
  const [typo, setTypo] = useState<EmailTypo>()
  usePrerendered(ref)

  const readForm = (form: HTMLFormElement) => {
    const values = readValues(form)
    setPlan(values.budget)
    setLength(values.message.length < COUNTED_LENGTH ? 0 : values.message.length)
    return values
  }

  useEffect(() => {
    const form = ref.current
    if (!form) return
    // This anchor means that the form was sent without JavaScript, so nothing has cleared the
    // draft.
    if (location.hash === `#${anchors.sent}`) stored.clear()
    const saved = stored.load() ?? {}
    if (fillEmpty(form, saved)) notify(restored)
    const named = new URLSearchParams(location.search).get(planParameter)
    // After a reload or Back, the visitor's later choice overrides the plan in the URL.
    choosePlan(isRevisit() ? (saved.budget ?? named) : named)
    readForm(form)
  }, [])

  return {
    plan,
    length,
    typo,

    onInput({ currentTarget, target }: FormEvent<HTMLFormElement>) {
      stored.save(readForm(currentTarget))
      if ((target as HTMLInputElement).name === 'email') setTypo(undefined)
    },

    /** Asks about a mistyped address when the visitor leaves the field. Never blocks submitting. */
    onBlur({ target }: FocusEvent<HTMLFormElement, HTMLInputElement>) {
      if (target.name === 'email') setTimeout(() => setTypo(findEmailTypo(target.value)), HINT_DELAY_MS)
    },

    /** Empties the form after it was sent. */
    clear(form: HTMLFormElement) {
      form.reset()
      choosePlan('')
      stored.clear()
      setTypo(undefined)
      readForm(form)
    },
  }
}

/** While the build prerenders the page, there is no document. */
const findShownPlan = () =>
  globalThis.document?.querySelector<HTMLElement>('form [data-plan]:not([hidden])')?.dataset.plan ?? ''

function isRevisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type !== 'navigate'
}

/** If React renders the page from scratch, moves the typed text and the focus to the new form. */
function usePrerendered(ref: RefObject<HTMLFormElement | null>) {
  const [before] = useState(() => ({
    form: globalThis.document?.querySelector('form'),
    focused: globalThis.document?.activeElement as HTMLInputElement | null,
  }))
  useLayoutEffect(() => {
    const form = ref.current
    if (!form || !before.form || before.form === form) return
    fillEmpty(form, readValues(before.form))
    const { name = '', selectionStart, selectionEnd } = before.focused ?? {}
    const control = controlOf(form, name)
    control?.focus({ preventScroll: true })
    // Some kinds of fields have no selection.
    if (typeof selectionStart === 'number')
      (control as HTMLInputElement | null)?.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
  }, [before])
}
