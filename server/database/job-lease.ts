import { randomUUID } from 'node:crypto'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const LEASE_MS = 2 * 60 * 1000
const RENEW_EVERY_MS = 30 * 1000

type Deps = { db: Database; now: () => Date }
type Work = (lost: AbortSignal) => Promise<void>

/**
 * Runs `work`, unless another replica is running it: then returns that replica's start time. If a replica dies or freezes,
 * its lease expires after two minutes; `lost` is aborted if this replica's does. On SQLite there are no other replicas.
 */
export async function withJobLease({ db, now }: Deps, name: string, work: Work): Promise<Date | undefined> {
  if (!isShared(db)) {
    await work(new AbortController().signal)
    return undefined
  }
  const lease = { name, holder: randomUUID() }
  if (!(await acquire(db, lease, now()))) return startOf(db, name)
  const lost = new AbortController()
  const renewing = setInterval(() => {
    renew(db, lease, now()).then(
      (isOurs) => isOurs || lost.abort(),
      () => {}, // The database is unreachable: the next renewal will tell.
    )
  }, RENEW_EVERY_MS)
  try {
    await work(lost.signal)
  } finally {
    clearInterval(renewing)
    await release(db, lease)
  }
  return undefined
}

type Lease = { name: string; holder: string }

const untilAfter = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString()

async function acquire(db: Database, lease: Lease, now: Date): Promise<boolean> {
  const terms = { since: now.toISOString(), until: untilAfter(now) }
  const acquired = await db
    .insertInto('job_leases')
    .values({ ...lease, ...terms })
    .onConflict((held) =>
      held
        .column('name')
        .doUpdateSet({ holder: lease.holder, ...terms })
        .where(({ or, eb }) =>
          or([
            eb('job_leases.until', '<', now.toISOString()),
            // Written while a clock was ahead.
            eb('job_leases.until', '>', untilAfter(now)),
          ]),
        ),
    )
    .returning('holder')
    .executeTakeFirst()
  return acquired !== undefined
}

async function renew(db: Database, { name, holder }: Lease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job_leases')
    .set({ until: untilAfter(now) })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const release = (db: Database, { name, holder }: Lease) =>
  db.deleteFrom('job_leases').where('name', '=', name).where('holder', '=', holder).execute()

async function startOf(db: Database, name: string): Promise<Date | undefined> {
  const held = await db.selectFrom('job_leases').select('since').where('name', '=', name).executeTakeFirst()
  return held && new Date(held.since)
}
