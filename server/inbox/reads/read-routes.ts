import { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod/mini'
import { leadViews } from '#shared/inbox/lead.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { errorFacts } from '../../error-facts.ts'
import { readReference } from '../../leads/reference.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, sessionOf } from '../requests.ts'
import { busy, createExport, exportFormats } from './export.ts'
import { readFigures } from './figures.ts'
import { listLeads, type Position, readCursor } from './lists.ts'
import { readLead } from './read-lead.ts'
import { readSummary } from './read-summary.ts'
import { searchLeads } from './search-leads.ts'

const MAX_SEARCH = 200

type Deps = Pick<InboxDeps, 'db' | 'log' | 'now' | 'sendsReceipts' | 'hasMailServer'>

/**
 * The routes for lists, searches, single leads, figures and exports. Each read is short, or runs in short steps, because
 * with SQLite, visitors wait during a step. Exports require a recent sign-in.
 */
export function createReads(deps: Deps, requireFresh: RequestHandler) {
  const { db, now } = deps
  const exports = createExport(deps)

  const routes = Router()
    .get('/leads', async ({ query }, response) => {
      const { view, after } = readInput(listQuery, query)
      response.json(await listLeads(db, { view, after: positionOf(after), now: now() }))
    })
    // This is a POST request, because proxies log URLs, and logs must not contain names or phone numbers.
    .post('/leads/search', async ({ body }, response) => {
      const { search, after } = readInput(searchBody, body)
      const [, before] = positionOf(after) ?? []
      response.json(await searchLeads(db, { search, before }, untilDisconnect(response)))
    })
    .get('/leads/:reference', async ({ params }, response) => {
      const lead = await readLead(db, {
        reference: readReference(params.reference) ?? '',
        owner: sessionOf(response).owner,
        now: now(),
        sendsReceipts: deps.sendsReceipts,
      })
      if (!lead)
        throw new Problem('not_found', 'There is no lead with this reference. It may have been erased.')
      response.json(lead)
    })
    .get('/summary', async (_request, response) => {
      response.json(await readSummary(db, { now: now(), hasMailServer: deps.hasMailServer }))
    })
    .get('/figures', async (_request, response) => {
      response.json(await readFigures(db, now(), untilDisconnect(response)))
    })
    .get('/export', requireFresh, async (request, response) => {
      const { format } = readInput(exportQuery, request.query)
      if (request.method === 'HEAD') response.end()
      else await exports.send(response, format)
    })
    .use(reportUnreadable(deps.log))

  return { routes, stop: exports.stop }
}

/** Without it, the response would say that the request could not be stored. */
const reportUnreadable =
  (log: Deps['log']): ErrorRequestHandler =>
  (error, _request, _response, next) => {
    if (!isStorageError(error)) return next(error)
    const { code, message: reason } = errorFacts(error)
    log.warn({ code, reason }, 'an inbox read failed')
    next(busy('The leads cannot be read right now. Please try again in a moment.'))
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
