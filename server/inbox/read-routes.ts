import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, Response } from 'express'
import * as z from 'zod/mini'
import { leadViews } from '#shared/inbox/lead.ts'
import { officeDay } from '#shared/office-time.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { Problem } from '../errors/problem.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { getLead } from '../leads/change/change-lead.ts'
import { readFigures } from '../leads/lists/figures.ts'
import { readHistory } from '../leads/lists/history.ts'
import { listLeads, readCursor } from '../leads/lists/lists.ts'
import { readLeadDetail } from '../leads/lists/read-lead.ts'
import { searchLeads } from '../leads/lists/search-leads.ts'
import { readLeads, toJsonArray } from './export-leads.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { addressOf, personPolicy, readPerson, toPage } from './person.ts'
import { toSpreadsheet } from './spreadsheet.ts'
import { readSummary } from './summary.ts'
import { inChunks } from './xlsx.ts'

const MAX_SEARCH = 200

/**
 * Handles lists, searches, single leads, figures and exports. Each read is short, or runs in short
 * steps, because with SQLite, visitors wait during a step.
 */
export function createReads({ db, log, now, env }: Pick<InboxDeps, 'db' | 'log' | 'now' | 'env'>) {
  const stream = (content: AsyncIterable<string | Buffer>, response: Response) =>
    pipeline(Readable.from(content, { objectMode: false }), response).catch((error) =>
      // Most likely, the client has disconnected.
      log.warn({ code: errorFacts(error).code }, 'an export ended early'),
    )
  const viewer = (response: Response) => ({ owner: sessionOf(response).owner, now: now() })
  return {
    list: send(async ({ query }, response) => {
      const { view, after } = readInput(listQuery, query)
      return listLeads(db, { view, after: readCursor(after), ...viewer(response) })
    }),
    search: send(async ({ body }, response) => {
      const { search, after } = readInput(searchBody, body)
      return searchLeads(db, { search, before: readCursor(after)?.[1], ...viewer(response) })
    }),
    lead: send(async ({ params }, response) => {
      const lead = await readLeadDetail(db, {
        reference: String(params.reference),
        ...viewer(response),
      })
      if (lead) return lead
      throw new Problem('not_found', 'There is no lead with this reference. It may have been erased.')
    }),
    /** The part of a lead's history before an event. */
    events: send(async ({ params, query }) => {
      const { before } = readInput(eventsQuery, query)
      const { id } = await getLead(db, String(params.reference))
      return readHistory(db, id, Number(before))
    }),
    summary: send(() => readSummary({ db, env }, now())),
    figures: send(() => readFigures(db, now())),
    /**
     * Sends all leads as a download. Reads them in small pages, and only as fast as the client
     * receives them.
     */
    async export({ query }: Request, response: Response) {
      const { format } = readInput(exportQuery, query)
      // If the database can't be read, this throws while the response can still be an error.
      await db.selectFrom('leads').select('id').limit(1).execute()
      response.type(format)
      response.set('Content-Disposition', `attachment; filename="leads-${officeDay(now())}.${format}"`)
      await stream(
        formats[format](() => readLeads(db)),
        response,
      )
    },
    /**
     * Sends everything about a person who has written about a lead, as a download or as a page to
     * print.
     */
    async person({ params, query }: Request, response: Response) {
      const { format, message } = readInput(personQuery, query)
      const address = await addressOf(db, String(params.reference), message)
      if (format === 'json') response.attachment(`person-${officeDay(now())}.json`)
      else response.type('html').set('Content-Security-Policy', personPolicy)
      const person = readPerson(db, { address, now: now(), retentionDays: env.RETENTION_DAYS })
      await stream(
        format === 'json' ? toJsonArray(() => person) : inChunks(toPage(person, message)),
        response,
      )
    },
  }
}

const after = z.optional(z.string('Use at most one cursor.'))
const listQuery = z.object({
  view: z._default(z.enum(leadViews, `Choose one of these views: ${leadViews.join(', ')}.`), 'open'),
  after,
})
const searchBody = z.object({
  search: z
    .string('Use only one search text.')
    .check(z.trim(), z.maxLength(MAX_SEARCH, `Please search for at most ${MAX_SEARCH} characters.`)),
  after,
})
const eventId = z.string().check(z.regex(/^\d{1,15}$/, 'This is not the number of an entry.'))
const eventsQuery = z.object({ before: eventId })
const formats = { xlsx: toSpreadsheet, json: toJsonArray }
const exportQuery = z.object({ format: z.enum(['xlsx', 'json'], 'Choose a format: xlsx or json.') })
const personQuery = z.object({
  format: z.enum(['html', 'json'], 'Choose a format: html or json.'),
  message: z.optional(eventId),
})
