import { replaceInvisible } from '#shared/invisible-characters.ts'

// Used if the output is not a terminal, so that `leads list | grep` also finds text that would be cut off in a terminal.
const PIPE_WIDTH = 200

/** The number of columns in a line. */
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
