import { type RequestHandler, Router } from 'express'
import type { Database } from '../database/schema.ts'
import { readMailHealth } from '../outbox/backlog.ts'

// Anyone can ask, and each check writes to the disk or reads the backlog: so at most once a second.
const RESULT_VALID_MS = 1000

type Deps = {
  db: Database
  now: () => Date
  /** Emails to the owner that were queued before this time are late. */
  waitingSince: () => Date
  /** Whether the outbox worker has stopped looking for emails. */
  isMailStalled: () => boolean
}

export const healthPaths = { alive: '/healthz', ready: '/healthz/ready', mail: '/healthz/mail' } as const

/** Three health checks: is it up, can it store leads, do emails go out. Each responds 200 or 503 with a `status`. */
export function healthRoutes({ db, now, waitingSince, isMailStalled }: Deps): Router {
  const isWritable = atMostOncePer(RESULT_VALID_MS, now, () => canWrite(db, now()))
  const mailHealth = atMostOncePer(RESULT_VALID_MS, now, () =>
    readMailHealth(db, waitingSince()).catch(() => 'database' as const),
  )
  const router = Router()
  router.get(
    healthPaths.alive,
    respond(async () => 'ok'),
  )
  router.get(
    healthPaths.ready,
    respond(async () => ((await isWritable()) ? 'ok' : 'database')),
  )
  router.get(
    healthPaths.mail,
    respond(async () => {
      const status = await mailHealth()
      return status === 'ok' && isMailStalled() ? 'waiting' : status
    }),
  )
  return router
}

const respond =
  (ask: () => Promise<'ok' | 'database' | 'waiting' | 'failed'>): RequestHandler =>
  async (_request, response) => {
    const status = await ask()
    response
      .status(status === 'ok' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status })
  }

/**
 * Writes, because reads still succeed on a full or read-only disk. Uses a transaction like a real request, which fails
 * if an earlier one was never closed.
 */
async function canWrite(db: Database, now: Date): Promise<boolean> {
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
    return true
  } catch {
    return false
  }
}

function atMostOncePer<T>(milliseconds: number, now: () => Date, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = Number.NEGATIVE_INFINITY
  let last: Promise<T> | undefined
  return () => {
    // A negative age means that the clock was set back.
    const age = now().getTime() - askedAt
    if (last && age >= 0 && age < milliseconds) return last
    askedAt = now().getTime()
    last = ask()
    return last
  }
}
