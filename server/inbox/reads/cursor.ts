import * as z from 'zod/mini'

/** A lead's position in a list: its sort key and its id. */
export type Position = readonly [key: string, id: string]

// Cursors come from outside, and PostgreSQL rejects text with certain characters, such as NUL.
const part = z.string().check(z.regex(/^[\w:.-]{0,64}$/))
const position = z.tuple([part, part])

/** Encodes a position as a cursor. The browser only sends it back unread, so its format may change. */
export const toCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** Decodes a cursor; undefined if it is invalid. */
export function readCursor(cursor: string): Position | undefined {
  try {
    return position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
