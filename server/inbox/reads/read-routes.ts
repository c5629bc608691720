import type { Request, Response } from 'express'
import * as z from 'zod/mini'
import { leadViews } from '#shared/inbox/lead.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { errorFacts } from '../../error-facts.ts'
import { readReference } from '../../leads/reference.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, send, sessionOf } from '../requests.ts'
import { busy, createExport, exportFormats } from './export.ts'
import { readFigures } from './figures.ts'
import { listLeads, type Position, readCursor } from './lists.ts'
import { readLead } from './read-lead.ts'
import { readSummary } from './read-summary.ts'
import { searchLeads } from './search-leads.ts'

const MAX_SEARCH = 200

type Deps = Pick<InboxDeps, 'db' | 'log' | 'now' | 'sendsReceipts' | 'hasMailServer'>

export type ReadRoutes = ReturnType<typeof createReads>

/**
 * Handles lists, searches, single leads, figures and exports. Each read is short, or runs in short steps, because with
 * SQLite, visitors wait during a step.
 */
export function createReads(deps: Deps) {
  const { db, log, now } = deps
  const exports = createExport(deps)

  /** Without it, the response would say that the request could not be stored. */
  const reportUnreadable = (error: unknown): never => {
    if (!isStorageError(error)) throw error
    const { code, message: reason } = errorFacts(error)
    log.warn({ code, reason }, 'an inbox read failed')
    throw busy('The leads cannot be read right now. Please try again in a moment.')
  }
  const read = (work: (request: Request, response: Response) => Promise<unknown>) =>
    send((request, response) => work(request, response).catch(reportUnreadable))

  return {
    list: read(async ({ query }) => {
      const { view, after } = readInput(listQuery, query)
      return listLeads(db, { view, after: positionOf(after), now: now() })
    }),
    search: read(async ({ body }, response) => {
      const { search, after } = readInput(searchBody, body)
      const [, before] = positionOf(after) ?? []
      return searchLeads(db, { search, before }, untilDisconnect(response))
    }),
    lead: read(async ({ params }, response) => {
      const lead = await readLead(db, {
        reference: readReference(String(params.reference)) ?? '',
        owner: sessionOf(response).owner,
        now: now(),
        sendsReceipts: deps.sendsReceipts,
      })
      if (lead) return lead
      throw new Problem('not_found', 'There is no lead with this reference. It may have been erased.')
    }),
    summary: read(() => readSummary(db, { now: now(), hasMailServer: deps.hasMailServer })),
    figures: read((_request, response) => readFigures(db, now(), untilDisconnect(response))),
    async export(request: Request, response: Response) {
      const { format } = readInput(exportQuery, request.query)
      if (request.method === 'HEAD') response.end()
      else await exports.send(response, format).catch(reportUnreadable)
    },
    stop: exports.stop,
  }
}

/** Aborts when the client disconnects. */
function untilDisconnect(response: Response): AbortSignal {
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  return disconnected.signal
}

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

function positionOf(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const position = readCursor(cursor)
  if (!position)
    throw new Problem('invalid_input', 'This cursor is not valid. Load the list from the beginning.')
  return position
}
