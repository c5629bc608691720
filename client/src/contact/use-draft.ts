import { type RefObject, useEffect } from 'react'
import { restored } from '#brand/words/form.ts'
import { anchors } from '#shared/pages.ts'
import { choosePlan, planParameter } from './choose-plan.ts'
import type { Draft } from './draft.ts'
import { fillEmpty, readValues } from './form-values.ts'
import { notify } from './toasts.tsx'

/** Restores the entries after a reload, and selects the plan in the URL. */
export function useDraft(formRef: RefObject<HTMLFormElement | null>, draft: Draft) {
  useEffect(() => {
    const form = formRef.current
    if (!form) return
    // This anchor means that the form was sent without JavaScript, so nothing has cleared the draft.
    if (location.hash === `#${anchors.sent}`) draft.clear()
    const saved = draft.load()
    const save = () => draft.save(readValues(form))
    const controller = new AbortController()
    form.addEventListener('input', save, controller)
    form.addEventListener('change', save, controller)
    if (fillEmpty(form, saved)) notify(restored)
    const plan = new URLSearchParams(location.search).get(planParameter)
    // After a reload or Back, the visitor's later choice overrides the plan in the URL.
    choosePlan(isRevisit() ? (saved.budget ?? plan) : plan)
    return () => controller.abort()
  }, [formRef, draft])
}

function isRevisit(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type !== 'navigate'
}
