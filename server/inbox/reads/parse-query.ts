import * as z from 'zod/mini'
import { leadViews } from '#shared/inbox/lead.ts'
import { searchTerms } from '#shared/search-words.ts'
import { readReference } from '../../leads/reference.ts'
import { Problem } from '../../problem.ts'
import { type Position, readCursor } from './cursor.ts'
import { exportFormats } from './export.ts'

const MAX_SEARCH = 200

const after = z.optional(z.string('Give at most one cursor.'))
const listQuery = z.object({
  view: z._default(z.enum(leadViews, `Choose one of these views: ${leadViews.join(', ')}.`), 'open'),
  after,
})
const searchBody = z.object(
  {
    search: z
      .string('Search for one text.')
      .check(z.trim(), z.maxLength(MAX_SEARCH, `Please search for at most ${MAX_SEARCH} characters.`)),
    after,
  },
  'Send a JSON object.',
)
const exportQuery = z.object({
  format: z.enum(exportFormats, `Choose a format: ${exportFormats.join(' or ')}.`),
})

/** A page of a view. Throws a Problem. */
export function parseListQuery(query: unknown) {
  const { view, after } = parse(listQuery, query)
  return { view, after: positionOf(after) }
}

/** A page of a search in all leads. Throws a Problem. */
export function parseSearch(body: unknown) {
  const { search, after } = parse(searchBody, body)
  const position = positionOf(after)
  if (searchTerms(search).length === 0 && !readReference(search))
    throw new Problem('invalid_input', 'Search for a word, a number or a reference.')
  return { search, before: position && numberOf(position) }
}

export const parseExportQuery = (query: unknown) => parse(exportQuery, query)

function parse<Schema extends z.ZodMiniType>(schema: Schema, query: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(query)
  if (error) throw new Problem('invalid_input', error.issues[0]?.message ?? 'Load the page again.')
  return data
}

function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const position = readCursor(cursor)
  if (!position) throw lostPlace()
  return position
}

/** The cursor of a search is a number in the search index. */
function numberOf([key]: Position): number {
  if (!/^\d{1,15}$/.test(key)) throw lostPlace()
  return Number(key)
}

const lostPlace = () =>
  new Problem('invalid_input', 'This is no place in the list. Load the list from its beginning.')
