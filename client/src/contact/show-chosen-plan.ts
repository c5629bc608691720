import { controlOf } from './form-values.ts'

/** Shows the lines about the plan whose budget is selected (chosen-plan.tsx), and hides those about the others. */
export function showChosenPlan(form: HTMLFormElement) {
  const budget = controlOf(form, 'budget')?.value
  for (const line of form.querySelectorAll<HTMLElement>('[data-plan]'))
    line.hidden = line.dataset.plan !== budget
}
