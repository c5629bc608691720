import { randomUUID } from 'node:crypto'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const LEASE_MS = 2 * 60 * 1000
const RENEW_EVERY_MS = 30 * 1000

type Deps = { db: Database; now: () => Date }
type Work = (lost: AbortSignal) => Promise<void>

/**
 * Runs `work`, unless another replica is already running it. In that case, returns the time when it started. While a
 * replica runs `work`, it holds a lease in the database and renews it. If the replica dies or freezes, the lease expires
 * after two minutes. If this replica loses its lease, `lost` is aborted.
 */
export async function withJobLease({ db, now }: Deps, name: string, work: Work): Promise<Date | undefined> {
  if (!isShared(db)) {
    await work(new AbortController().signal)
    return undefined
  }
  const lease = { name, holder: randomUUID() }
  if (!(await acquire(db, lease, now()))) return readStart(db, name)
  const lost = new AbortController()
  const renewing = setInterval(() => {
    renew(db, lease, now()).then(
      (isOurs) => isOurs || lost.abort(),
      () => {}, // The database is unreachable. The next renewal tries again.
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

const expiryFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString()

async function acquire(db: Database, lease: Lease, now: Date): Promise<boolean> {
  const times = { since: now.toISOString(), until: expiryFrom(now) }
  const acquired = await db
    .insertInto('job_leases')
    .values({ ...lease, ...times })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder: lease.holder, ...times })
        // Take over a lease that has expired, or that was acquired while the other replica's clock was ahead.
        .where(({ not, between }) => not(between('job_leases.until', times.since, times.until))),
    )
    .returning('holder')
    .executeTakeFirst()
  return acquired !== undefined
}

async function renew(db: Database, { name, holder }: Lease, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job_leases')
    .set({ until: expiryFrom(now) })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const release = (db: Database, { name, holder }: Lease) =>
  db.deleteFrom('job_leases').where('name', '=', name).where('holder', '=', holder).execute()

async function readStart(db: Database, name: string): Promise<Date | undefined> {
  const lease = await db.selectFrom('job_leases').select('since').where('name', '=', name).executeTakeFirst()
  return lease && new Date(lease.since)
}
