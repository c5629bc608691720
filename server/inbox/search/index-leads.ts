import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Write } from '../../database/group-commit.ts'
import { errorFacts } from '../../error-facts.ts'
import { indexSome } from './index-some.ts'

// The longest pause between batches. While leads come in, every pause is this long, and indexing takes a few percent of the
// time. Otherwise, each pause is as long as the batch before it, and indexing takes about half of the time.
const EVERY_MS = 200
const RETRY_MS = 30_000
// A regular check finds the leads that a replica stored just before it crashed.
const CHECK_EVERY_MS = 60_000
const LOG_EVERY_MS = 10_000

type Deps = {
  write: Write
  log: Logger
  /** Whether many visitors are waiting for a response. Until that ends, indexing waits. */
  isCrowded?: () => boolean
}

/**
 * Adds new leads to the search index, outside the visitors' transactions, in batches too small to delay anybody
 * noticeably.
 */
export function createLeadIndexer({ write, log, isCrowded = () => false }: Deps) {
  const stopping = new AbortController()
  let hasNew = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})

  async function run() {
    // Lets the visitor's response go first, and lets more leads arrive for the same batch.
    await pause(EVERY_MS)
    let done = 0
    let loggedAt = performance.now()
    for (let isDone = false; !isDone && !stopping.signal.aborted; ) {
      if (isCrowded()) {
        await pause(EVERY_MS)
        continue
      }
      const hadNew = hasNew
      hasNew = false
      const startedAt = performance.now()
      const indexed = await write(indexSome).catch(report)
      done += indexed ?? 0
      // Indexing takes this long only after an upgrade, or after `leads copy` has moved the leads to PostgreSQL.
      if (performance.now() - loggedAt > LOG_EVERY_MS) {
        loggedAt = performance.now()
        log.info({ done }, 'indexing leads for the search')
      }
      isDone = indexed === 0 && !hasNew
      if (isDone) running = undefined
      else if (indexed === undefined) await pause(RETRY_MS)
      else await pause(hadNew || hasNew ? EVERY_MS : Math.min(EVERY_MS, performance.now() - startedAt))
    }
  }

  function report(error: unknown) {
    log.warn({ code: errorFacts(error).code }, 'could not update the search index, retrying')
    return undefined
  }

  /** Call this after a lead is stored. */
  function wake() {
    hasNew = true
    if (!stopping.signal.aborted) running ??= run()
  }

  return {
    wake,
    start() {
      timer = setInterval(wake, CHECK_EVERY_MS)
      wake()
    },
    /** Stops the indexer. Resolves when the current batch is finished. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
