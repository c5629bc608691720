import { openNow, opensNext } from '#brand/words/hours.ts'
import { hours } from '#facts/hours.ts'

/** The average width of a character, in em: Plumbline's longest text has 19 characters, and 10.75 em is enough for it. */
const CHARACTER_EM = 0.5657
// The longest day that show-office-status.ts can insert.
const texts = [hours.text, openNow, opensNext.replace('{day}', 'Sep 30')]

/** Wide enough for every text that show-office-status.ts can show, so that nothing moves when the text changes. */
export const officeHoursWidth = `${(Math.max(...texts.map(({ length }) => length)) * CHARACTER_EM).toFixed(2)}em`
