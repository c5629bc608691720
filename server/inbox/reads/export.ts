import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { errorFacts } from '../../error-facts.ts'
import { keepOpen } from '../../http/limit-connections.ts'
import { officeDay } from '../../leads/office-time.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { busy } from './busy.ts'
import { lowerPriority } from './lower-priority.ts'

// A download may take a long time, but it must not stall.
const STALLED_MS = 60_000

const FAILED = 'The export has failed. Please try again in a moment.'

export const exportFormats = ['xlsx', 'json'] as const
type Format = (typeof exportFormats)[number]

type Deps = Pick<InboxDeps, 'env' | 'log' | 'now'> & { stalledMs?: number }

/** Sends all leads as a download. Runs `leads export` in a child process, one at a time. */
export function createExport({ env, log, now, stalledMs = STALLED_MS }: Deps) {
  let running: ChildProcess | undefined

  function start(format: Format) {
    if (running) throw busy('Another export is running. Please try again when it has finished.')
    const args = [
      join(import.meta.dirname, '../../cli/leads.ts'),
      'export',
      ...(format === 'json' ? ['--json'] : []),
    ]
    const child = spawn(process.execPath, args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    lowerPriority(child)
    running = child
    const { promise: exitCode, resolve } = Promise.withResolvers<number | null>()
    child.once('exit', resolve).once('error', () => resolve(null))
    const ended = exitCode.finally(() => {
      running = undefined
    })
    return { child, ended }
  }

  return {
    async send(response: Response, format: Format) {
      const { child, ended } = start(format)
      const end = () => child.kill('SIGKILL')
      response.once('close', end)
      try {
        const chunks: AsyncIterator<Buffer> = child.stdout[Symbol.asyncIterator]()
        // Waits for the first bytes: until then, the response can still be an error.
        const first = await chunks.next()
        if (first.done) throw busy(FAILED)
        setHeaders(response, format, now())
        keepOpen(response)
        response.setTimeout(stalledMs, () => response.destroy())
        await pipeline(() => complete(first.value, chunks, ended), response)
      } catch (error) {
        // Most likely, the client disconnected.
        log.warn({ code: errorFacts(error).code }, 'an export ended early')
        if (!response.headersSent) throw error
      } finally {
        end()
      }
    },
    stop: () => running?.kill('SIGKILL'),
  }
}

/** Throws at the end if the export has failed, so that an incomplete file does not look complete. */
async function* complete(first: Buffer, rest: AsyncIterator<Buffer>, ended: Promise<number | null>) {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  if ((await ended) !== 0) throw new Error(FAILED)
}

function setHeaders(response: Response, format: Format, now: Date) {
  response.type(format)
  response.set('Content-Disposition', `attachment; filename="leads-${officeDay(now)}.${format}"`)
}
