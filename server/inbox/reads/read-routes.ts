import { type RequestHandler, type Response, Router } from 'express'
import { readReference } from '../../leads/reference.ts'
import { Problem } from '../../problem.ts'
import { sessionOf } from '../http/session-of.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { createExport } from './export.ts'
import { readFigures } from './figures.ts'
import { parseExportQuery, parseListQuery, parseSearch } from './parse-query.ts'
import { createReader } from './reader.ts'

type Deps = Pick<InboxDeps, 'db' | 'env' | 'log' | 'now' | 'sendsReceipts' | 'hasMailServer'>

/**
 * The routes for lists, searches, single leads, figures and exports. Reading never delays visitors. Exports require a
 * recent sign-in.
 */
export function createReads(deps: Deps, requireFresh: RequestHandler) {
  const { read, stop } = createReader(deps)
  const exports = createExport(deps)
  const now = () => deps.now().toISOString()

  const routes = Router()
    .get('/leads', async (request, response) => {
      const query = parseListQuery(request.query)
      response.json(await read('list', { ...query, now: now() }, untilDisconnect(response)))
    })
    // This is a POST request, because proxies log URLs, and logs must not contain names or phone numbers.
    .post('/leads/search', async (request, response) => {
      response.json(await read('search', parseSearch(request.body), untilDisconnect(response)))
    })
    .get('/leads/:reference', async (request, response) => {
      const input = {
        reference: readReference(request.params.reference) ?? '',
        owner: sessionOf(response).owner,
        now: now(),
        sendsReceipts: deps.sendsReceipts,
      }
      const lead = await read('lead', input, untilDisconnect(response))
      if (!lead)
        throw new Problem('not_found', 'There is no lead with this reference. It may have been erased.')
      response.json(lead)
    })
    .get('/summary', async (_request, response) => {
      const input = { now: now(), hasMailServer: deps.hasMailServer }
      response.json(await read('summary', input, untilDisconnect(response)))
    })
    .get('/figures', async (_request, response) => {
      response.json(await readFigures(read, deps.now(), untilDisconnect(response)))
    })
    .get('/export', requireFresh, async (request, response) => {
      const { format } = parseExportQuery(request.query)
      if (request.method === 'HEAD') response.end()
      else await exports.send(response, format)
    })

  return {
    routes,
    async stop() {
      exports.stop()
      await stop()
    },
  }
}

/** Aborts when the client disconnects. */
function untilDisconnect(response: Response): AbortSignal {
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  return disconnected.signal
}
