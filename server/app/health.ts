import type { RequestHandler } from 'express'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { readMail } from '../inbox/summary.ts'
import type { Outbox } from './create-outbox.ts'

type Deps = Pick<Context, 'db' | 'now' | 'env'> & Pick<Outbox, 'isStalled'>

type Health =
  | 'ok'
  | 'database'
  | 'waiting'
  | 'failed'
  | 'refused'
  | 'mailbox'
  | 'junk'
  | 'missing'
  | 'returned'
// These say that emails go out.
const sent: readonly Health[] = ['ok', 'mailbox', 'junk', 'missing', 'returned']

/** The inbox's answer in fewer words; but an unreadable mailbox counts only after an hour. */
export async function readMailHealth({ db, env }: Pick<Deps, 'db' | 'env'>, now: Date): Promise<Health> {
  const { state, since } = await readMail({ db, env }, now)
  if (state === 'files') return 'ok'
  if (state === 'held') return 'waiting'
  // A post that was given up doesn't wait.
  if (state === 'webhook') return since ? 'waiting' : 'failed'
  return state
}

/**
 * Health checks: is the server up, can it store leads, do emails go out, and replies come in? Each
 * responds with 200 or 503 and a `status`.
 */
export function healthChecks({ db, now, env, isStalled }: Deps) {
  const mailHealth = oncePerSecond(now, () =>
    readMailHealth({ db, env }, now()).catch(() => 'database' as const),
  )
  return {
    alive: respondWith(async () => 'ok'),
    ready: respondWith(oncePerSecond(now, () => checkStorage(db, now()))),
    mail: respondWith(async () => {
      const health = await mailHealth()
      return isStalled() && sent.includes(health) ? 'waiting' : health
    }),
  }
}

const respondWith =
  (check: () => Promise<Health>): RequestHandler =>
  async (_request, response) => {
    const status = await check()
    response
      .status(status === 'ok' ? 200 : 503)
      .set('Cache-Control', 'no-store')
      .json({ status })
  }

/**
 * Tests a write, because reads work even on a full disk. Also fails if a transaction was left open
 * by mistake.
 */
const checkStorage = (db: Database, now: Date): Promise<Health> =>
  db
    .transaction()
    .execute((transaction) =>
      transaction
        .updateTable('settings')
        .set({ value: now.toISOString() })
        .where('name', '=', 'last_write_check')
        .execute(),
    )
    .then(
      () => 'ok',
      () => 'database',
    )

/**
 * The checks write to the disk or read the queue of emails, and anyone can request them, so their
 * results are cached.
 */
function oncePerSecond<T>(now: () => Date, check: () => Promise<T>): () => Promise<T> {
  let checkedIn: number | undefined
  let result: Promise<T>
  return () => {
    const second = Math.floor(now().getTime() / 1000)
    if (second !== checkedIn) result = check()
    checkedIn = second
    return result
  }
}
