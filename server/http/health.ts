import { type RequestHandler, Router } from 'express'
import type { Database } from '../database/schema.ts'
import { readMailHealth } from '../outbox/backlog.ts'

// Anybody can ask, and asking writes to the disk or reads the backlog: so at most once a second.
const ANSWER_VALID_MS = 1000

type Deps = {
  db: Database
  now: () => Date
  /** Emails to the owner that were queued before this time are held up. */
  waitingSince: () => Date
  /** Whether the outbox worker has not looked for emails lately. */
  isMailStalled: () => boolean
}

export const healthPaths = { alive: '/healthz', ready: '/healthz/ready', mail: '/healthz/mail' } as const

/** The three questions of operations: is it up, can it store, does the mail flow. Each 200 or 503 with `status`. */
export function healthRoutes({ db, now, waitingSince, isMailStalled }: Deps): Router {
  const isWritable = atMostOncePer(ANSWER_VALID_MS, now, () => canWrite(db, now()))
  const mailHealth = atMostOncePer(ANSWER_VALID_MS, now, () =>
    readMailHealth(db, waitingSince()).catch(() => 'database' as const),
  )
  const router = Router()
  router.get(
    healthPaths.alive,
    answer(async () => 'ok'),
  )
  router.get(
    healthPaths.ready,
    answer(async () => ((await isWritable()) ? 'ok' : 'database')),
  )
  router.get(
    healthPaths.mail,
    answer(async () => {
      const status = await mailHealth()
      return status === 'ok' && isMailStalled() ? 'waiting' : status
    }),
  )
  return router
}

const answer =
  (ask: () => Promise<'ok' | 'database' | 'waiting' | 'failed'>): RequestHandler =>
  async (_request, response) => {
    const status = await ask()
    response
      .status(status === 'ok' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status })
  }

/**
 * Writes, for a read still succeeds on a full or read-only disk; in a transaction, for a request begins one, and cannot
 * where another was never ended.
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
    // A clock that is set back ends it too.
    const age = now().getTime() - askedAt
    if (last && age >= 0 && age < milliseconds) return last
    askedAt = now().getTime()
    last = ask()
    return last
  }
}
