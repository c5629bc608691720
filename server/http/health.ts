import type { Request, Response } from 'express'
import type { Database } from '../database/schema.ts'
import { readMailHealth } from '../outbox/backlog.ts'

// The checks write to the disk or read the queue of emails, and anyone can request them, so their results are cached.
const RESULT_VALID_MS = 1000

type Deps = {
  db: Database
  now: () => Date
  /** Emails (except receipts and sign-in emails) and webhook requests that were queued before this time are late. */
  waitingSince: () => Date
  /** Whether no emails are being sent. */
  isStalled: () => boolean
}

type Health = 'ok' | 'database' | 'waiting' | 'failed' | 'refused'

/** Health checks: is the server up, can it store leads, do emails go out? Each responds with 200 or 503 and a `status`. */
export function healthChecks({ db, now, waitingSince, isStalled }: Deps) {
  const storageHealth = cached(RESULT_VALID_MS, now, () => checkStorage(db, now()))
  const mailHealth = cached(RESULT_VALID_MS, now, () =>
    readMailHealth(db, waitingSince()).catch(() => 'database' as const),
  )
  return {
    alive: (_request: Request, response: Response) => respond(response, 'ok'),
    ready: async (_request: Request, response: Response) => respond(response, await storageHealth()),
    async mail(_request: Request, response: Response) {
      const health = await mailHealth()
      respond(response, health === 'ok' && isStalled() ? 'waiting' : health)
    },
  }
}

function respond(response: Response, status: Health) {
  response
    .status(status === 'ok' ? 200 : 503)
    .set('Cache-Control', 'no-store')
    .json({ status })
}

/** Tests a write, because reads work even on a full disk. Also fails if a transaction was left open by mistake. */
async function checkStorage(db: Database, now: Date): Promise<Health> {
  try {
    await db
      .transaction()
      .execute((transaction) =>
        transaction
          .updateTable('settings')
          .set({ value: now.toISOString() })
          .where('name', '=', 'last_write_check')
          .execute(),
      )
    return 'ok'
  } catch {
    return 'database'
  }
}

function cached<T>(validMs: number, now: () => Date, check: () => Promise<T>): () => Promise<T> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let result: Promise<T> | undefined
  return () => {
    // If the clock was set back, the age is negative. Then the stored result isn't used.
    const age = now().getTime() - checkedAt
    if (result && age >= 0 && age < validMs) return result
    checkedAt = now().getTime()
    result = check()
    return result
  }
}
