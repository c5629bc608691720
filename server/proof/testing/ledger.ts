import { randomUUID } from 'node:crypto'
import { type ContactRequest, contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from './sample-request.ts'

/** One visitor's request with everything that was answered to it; 0 stands for no answer at all. */
export type Entry = { key: string; request: ContactRequest; statuses: number[]; reference?: string }
export type Ledger = ReturnType<typeof createLedger>

// A request that a program does not answer in this time has got no answer.
const ANSWER_DEADLINE_MS = 20_000

/** Sends unique requests and writes down each answer: what was promised to whom. */
export function createLedger() {
  const entries: Entry[] = []

  /** Sends a request again as a browser would: same key, same content. */
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

    /** Visitors side by side, each asking one thing after another, until told to stop or nobody answers. */
    async load(url: string, visitors: number, isOver: () => boolean) {
      const visit = async () => {
        while (!isOver()) if ((await post(url)).statuses.at(-1) === 0) return
      }
      await Promise.all(Array.from({ length: visitors }, visit))
    },

    acknowledged: () => entries.filter((entry) => entry.reference !== undefined),
    unanswered: () => entries.filter((entry) => entry.reference === undefined),
  }
}
