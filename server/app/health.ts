import type { RequestHandler } from 'express'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { readArrivalTrouble } from '../mailbox/arrivals.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { readMailHealth } from '../outbox/backlog.ts'
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

/**
 * Health checks: is the server up, can it store leads, do emails go out, and replies come in? Each
 * responds with 200 or 503 and a `status`.
 */
export function healthChecks({ db, now, env, isStalled }: Deps) {
  async function readMail(): Promise<Health> {
    const health = await readMailHealth({ db, env }, now())
    if (health !== 'ok') return health
    if (await readLongTrouble(db, env, now())) return 'mailbox'
    return (await readArrivalTrouble(db))?.state ?? 'ok'
  }
  const mailHealth = oncePerSecond(now, () => readMail().catch(() => 'database' as const))
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
