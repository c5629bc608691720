import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { pino } from 'pino'
import type { ProblemDetails } from '#shared/contact-request.ts'
import type { Summary } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadPage } from '#shared/inbox/lead.ts'
import { readRoutes } from '../../app.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { createReads } from '../../inbox/reads/read-routes.ts'
import { setSession } from '../../inbox/requests.ts'
import type { buildTestApp } from './build-test-app.ts'

/** All fields that a response can have. Each kind of response has only some of them. */
type Body = LeadPage & LeadDetail & Summary & ProblemDetails
type Site = Pick<Awaited<ReturnType<typeof buildTestApp>>, 'db' | 'clock'>

const owner = 'owner@agency.example'
const session = { id: 'a session', owner, browser: '', signed_in_at: '', seen_at: '' }

/** Serves the inbox's routes for reading and searching leads to a signed-in owner. */
export async function openReads(
  { db, clock }: Site,
  { requireFresh = ((_request, _response, next) => next()) as RequestHandler, hasMailServer = false } = {},
) {
  const logLines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => logLines.push(line) })
  const now = () => clock.now
  const reads = createReads({ db, log, now, sendsReceipts: false, hasMailServer })
  const app = express()
    .use((_request, response, next) => {
      setSession(response, session)
      next()
    })
    .use(express.json())
    .use(readRoutes(reads, requireFresh))
    .use(errorHandler(log, ''))
  const server = app.listen(0)
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`

  return {
    url,
    owner,
    logLines,
    get: (path: string) => parsed(fetch(`${url}${path}`)),
    search: (body: unknown) =>
      parsed(
        fetch(`${url}/leads/search`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function parsed(responding: Promise<Response>) {
  const response = await responding
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
}
