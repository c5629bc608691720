import { promises } from '#facts/promises.ts'

export const title = 'Sample websites: a roofer and an HVAC company'
export const intro =
  "We built these as samples, the way we'd build yours. Open one on your phone and find the call button."
export const picture = (title: string) => `The first screen of ${title}`
export const newTab = ' (opens in a new tab)'
export const closing = 'Your site could be next.'
export const startProject = 'Start Your Project'
/** On the dimension line below `closing`. */
export const closingTime = promises.buildTime
