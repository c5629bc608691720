import { type RefObject, useContext, useLayoutEffect, useState } from 'react'
import { IsHydrating } from '../ui/is-hydrating.tsx'
import { controlOf, fillEmpty, readValues } from './form-values.ts'

/** If React renders the page from scratch, moves the typed text and the focus from the prerendered form to the new one. */
export function useReplacedForm(formRef: RefObject<HTMLFormElement | null>) {
  const isHydrating = useContext(IsHydrating)
  const [replaced] = useState(() =>
    isHydrating
      ? undefined
      : { form: document.querySelector('form'), focused: document.activeElement as HTMLInputElement | null },
  )
  useLayoutEffect(() => {
    const form = formRef.current
    if (!form || !replaced?.form) return
    fillEmpty(form, readValues(replaced.form))
    const { name = '', selectionStart, selectionEnd } = replaced.focused ?? {}
    const control = name ? controlOf(form, name) : null
    control?.focus({ preventScroll: true })
    // Some kinds of fields have no selection.
    if (typeof selectionStart === 'number')
      (control as HTMLInputElement | null)?.setSelectionRange(selectionStart, selectionEnd ?? selectionStart)
  }, [formRef, replaced])
}
