/** Submits a form as a click on its button does. Not `requestSubmit`, which Safari 15.4 lacks. */
export const clickSubmit = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLElement>('[type="submit"]')?.click()
