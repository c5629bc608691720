import { replaceInvisible } from '#shared/invisible-characters.ts'

// The width if the output is not a terminal: wide, so that `leads list | grep` finds text that a terminal would cut off.
const PIPE_WIDTH = 200

/** The width of the terminal, in characters. */
export const terminalWidth = (): number => process.stdout.columns || Number(process.env.COLUMNS) || PIPE_WIDTH

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Prints JSON. Escapes every terminal control character, because JSON.stringify escapes only those below U+0020. */
export function printJson(value: unknown) {
  const json = JSON.stringify(value, null, 2)
  print(replaceInvisible(json, (run) => run.replace(/[^\n]/g, escapeCodeUnit)))
}

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
