import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ContactRequest, contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from './sample-request.ts'

/** One request and the statuses of all its responses; 0 means no response. */
export type Entry = { key: string; request: ContactRequest; statuses: number[]; reference?: string }
export type RecordingClient = ReturnType<typeof createRecordingClient>

// A response that takes longer than this counts as no response.
const ANSWER_DEADLINE_MS = 20_000

/**
 * Sends unique requests and records each response, to check later that every acknowledged lead was
 * stored.
 */
export function createRecordingClient() {
  const entries: Entry[] = []

  /**
   * Sends a request for the first time or again, always with the same key and content, as the page
   * does.
   */
  async function repeat(url: string, entry: Entry): Promise<number> {
    try {
      const response = await fetch(url + contactPath, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': entry.key },
        body: JSON.stringify(entry.request),
        signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
      })
      const answer = (await response.json()) as { reference?: string }
      entry.statuses.push(response.status)
      if (response.status === 200 && answer.reference) entry.reference = answer.reference
    } catch {
      entry.statuses.push(0)
    }
    return entry.statuses.at(-1) ?? 0
  }

  async function post(url: string, changes: Partial<ContactRequest> = {}): Promise<Entry> {
    const key = randomUUID()
    const request = sampleRequest({ message: `Request ${key}`, ...changes })
    const entry: Entry = { key, request, statuses: [] }
    entries.push(entry)
    await repeat(url, entry)
    return entry
  }

  return {
    entries,
    post,
    repeat,

    /**
     * Simulates parallel visitors, who each keep posting until a request gets no response. They
     * wait for a moment after a refusal: otherwise, a busy server would be asked ever more.
     */
    load: (url: string, visitors: number) =>
      inParallel(visitors, async (isOver) => {
        while (!isOver()) {
          const status = (await post(url)).statuses.at(-1)
          if (status === 0) return
          if (status !== 200) await sleep(50)
        }
      }),

    /**
     * Simulates parallel visitors, who each repeat a request until they get a 200, perhaps at
     * another URL.
     */
    visit: (url: () => string, visitors: number) =>
      inParallel(visitors, async (isOver) => {
        while (!isOver()) {
          const entry = await post(url())
          for (; entry.reference === undefined && !isOver(); await repeat(url(), entry)) await sleep(50)
        }
      }),

    acknowledged: () => entries.filter((entry) => entry.reference !== undefined),
    unanswered: () => entries.filter((entry) => entry.reference === undefined),
  }
}

function inParallel(count: number, work: (isOver: () => boolean) => Promise<void>) {
  let isOver = false
  const ended = Promise.all(Array.from({ length: count }, () => work(() => isOver)))
  return {
    ended,
    end() {
      isOver = true
      return ended
    },
  }
}
