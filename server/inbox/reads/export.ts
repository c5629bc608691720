import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { errorFacts } from '../../error-facts.ts'
import { officeDay } from '../../leads/office-time.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { toJsonArray, toSpreadsheet } from '../records/export-leads.ts'
import { readLeads } from '../records/read-leads.ts'

// A download may take a long time, but it must not stall.
const STALLED_MS = 60_000
const RETRY_AFTER_SECONDS = 5

const formats = { xlsx: toSpreadsheet, json: toJsonArray }
export const exportFormats = ['xlsx', 'json'] as const

/** The error for a request that can be repeated in a moment. */
export const busy = (sentence: string): Problem =>
  new Problem('busy', sentence, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })

type Deps = Pick<InboxDeps, 'db' | 'log' | 'now'> & { stalledMs?: number }

/**
 * Sends all leads as a download, one download at a time. Reads the leads in small pages, so that no visitor has to wait, and
 * only as fast as the client receives them.
 */
export function createExport({ db, log, now, stalledMs = STALLED_MS }: Deps) {
  let running: Response | undefined

  return {
    async send(response: Response, format: keyof typeof formats) {
      if (running) throw busy('Another export is running. Please try again when it has finished.')
      running = response
      try {
        // If the database can't be read, this throws while the response can still be an error.
        await db.selectFrom('leads').select('id').limit(1).execute()
        response.type(format)
        response.set('Content-Disposition', `attachment; filename="leads-${officeDay(now())}.${format}"`)
        response.setTimeout(stalledMs, () => response.destroy())
        await pipeline(Readable.from(formats[format](readLeads(db)), { objectMode: false }), response)
      } catch (error) {
        // Most likely, the client disconnected.
        log.warn({ code: errorFacts(error).code }, 'an export ended early')
        if (!response.headersSent) throw error
      } finally {
        running = undefined
      }
    },
    stop: () => running?.destroy(),
  }
}
