import { replaceInvisible } from '#shared/invisible-characters.ts'

// Wide enough for `leads list | grep`.
const PIPE_WIDTH = 200

/** How many columns fit in a line. */
export const terminalWidth = (): number => process.stdout.columns || Number(process.env.COLUMNS) || PIPE_WIDTH

/** Prints a line to stdout. */
export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Prints JSON that is also safe to show on a terminal. */
export function printJson(value: unknown) {
  print(escapeSteering(JSON.stringify(value, null, 2)))
}

/** Escapes what steers a terminal; JSON itself only escapes the first 32 control characters. */
const escapeSteering = (json: string): string =>
  replaceInvisible(json, (run) => run.replace(/[^\n]/g, escapeCodeUnit))

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
