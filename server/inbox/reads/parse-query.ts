import * as z from 'zod/mini'
import { leadViews } from '#shared/inbox/lead.ts'
import { Problem } from '../../problem.ts'
import { type Position, readCursor } from './cursor.ts'
import { exportFormats } from './export.ts'

const MAX_SEARCH = 200

const after = z.optional(z.string('Use at most one cursor.'))
const listQuery = z.object({
  view: z._default(z.enum(leadViews, `Choose one of these views: ${leadViews.join(', ')}.`), 'open'),
  after,
})
const searchBody = z.object(
  {
    search: z
      .string('Use only one search text.')
      .check(z.trim(), z.maxLength(MAX_SEARCH, `Please search for at most ${MAX_SEARCH} characters.`)),
    after,
  },
  'Send a JSON object.',
)
const exportQuery = z.object({
  format: z.enum(exportFormats, `Choose a format: ${exportFormats.join(' or ')}.`),
})

/** Parses a request for one page of a view. Throws a Problem if it is invalid. */
export function parseListQuery(query: unknown) {
  const { view, after } = parse(listQuery, query)
  return { view, after: positionOf(after) }
}

/** Parses a request for one page of a search in all leads. Throws a Problem if it is invalid. */
export function parseSearch(body: unknown) {
  const { search, after } = parse(searchBody, body)
  const position = positionOf(after)
  return { search, before: position && numberOf(position) }
}

export const parseExportQuery = (query: unknown) => parse(exportQuery, query)

function parse<Schema extends z.ZodMiniType>(schema: Schema, query: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(query)
  if (error) throw new Problem('invalid_input', error.issues[0]?.message ?? 'Please reload the page.')
  return data
}

function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const position = readCursor(cursor)
  if (!position) throw invalidCursor()
  return position
}

/** Reads the cursor of a search: its key is a lead's number in the search index. */
function numberOf([key]: Position): number {
  if (!/^\d{1,15}$/.test(key)) throw invalidCursor()
  return Number(key)
}

const invalidCursor = () =>
  new Problem('invalid_input', 'This cursor is not valid. Load the list from the beginning.')
