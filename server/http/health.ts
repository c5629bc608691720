import { type RequestHandler, Router } from 'express'
import type { Database } from '../database/schema.ts'
import { MAIL_PATIENCE_MS, type OutboxStore } from '../outbox/outbox-store.ts'

// Anybody can ask, and asking writes to the disk: so at most one write a second.
const READY_ANSWER_VALID_MS = 1000

type Deps = { db: Database; outbox: OutboxStore; now: () => Date }

export const healthPaths = { alive: '/healthz', ready: '/healthz/ready', mail: '/healthz/mail' } as const

/** The three questions of operations: is it up, can it store, does the mail flow. Each 200 or 503 with `status`. */
export function healthRoutes({ db, outbox, now }: Deps): Router {
  const isWritable = atMostEvery(READY_ANSWER_VALID_MS, () => canWrite(db, now()))
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
    answer(() =>
      outbox.condition(new Date(now().getTime() - MAIL_PATIENCE_MS)).catch(() => 'database' as const),
    ),
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

/** A true write: a read would still succeed on a full or read-only disk. */
async function canWrite(db: Database, now: Date): Promise<boolean> {
  try {
    await db
      .updateTable('settings')
      .set({ value: now.toISOString() })
      .where('name', '=', 'last_write_check')
      .execute()
    return true
  } catch {
    return false
  }
}

function atMostEvery<T>(milliseconds: number, ask: () => Promise<T>): () => Promise<T> {
  let askedAt = Number.NEGATIVE_INFINITY
  let last: Promise<T> | undefined
  return () => {
    if (last && performance.now() - askedAt < milliseconds) return last
    askedAt = performance.now()
    last = ask()
    return last
  }
}
