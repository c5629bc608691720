import * as z from 'zod/mini'

/** The place of a lead in its list: what orders the list, and the lead's id. */
export type Position = readonly [key: string, id: string]

// PostgreSQL rejects some characters in text, such as NUL.
const part = z.string().check(z.regex(/^[\w:.-]{0,64}$/))
const position = z.tuple([part, part])

/** Hides a position from API users, so that it can change. */
export const toCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** Undefined if it is not a cursor of ours. */
export function readCursor(cursor: string): Position | undefined {
  try {
    return position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
