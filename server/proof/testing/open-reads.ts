import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express, { type RequestHandler } from 'express'
import { pino } from 'pino'
import type { Summary } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadPage } from '#shared/inbox/lead.ts'
import type { ProblemDetails } from '#shared/problem.ts'
import { errorHandler } from '../../http/error-handler.ts'
import { createReads } from '../../inbox/reads/read-routes.ts'
import type { TestApp } from './build-test-app.ts'
import { ownersRoutes } from './lead-tools.ts'

/** All fields that a response can have. Each kind of response has only some of them. */
type Body = LeadPage & LeadDetail & Summary & ProblemDetails
type Site = Pick<TestApp, 'db' | 'clock' | 'inbox' | 'context'>

const owner = 'owner@agency.example'

/** Serves the inbox's routes for reading and searching leads to a signed-in owner. */
export async function openReads(
  { db, clock, inbox, context }: Site,
  { requireFresh = ((_request, _response, next) => next()) as RequestHandler, hasMailServer = false } = {},
) {
  const logLines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => logLines.push(line) })
  const now = () => clock.now
  const env = { ...context.env, SMTP_URL: hasMailServer ? 'smtp://mail.example' : undefined }
  const reads = createReads({ db, log, now, env })
  const app = express()
    .use(ownersRoutes({ ...inbox, reads }, context.siteUrl, owner, requireFresh))
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
          headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
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
