import { sql } from 'kysely'
import type { Database } from '../schema.ts'

const SYNC_EVERY_MS = 10_000
// A response that takes longer is too inaccurate and is ignored, unless it's the first.
const MAX_ROUND_TRIP_MS = 1_000

/** Follows the database's clock, because the clocks of replicas may differ. */
export async function startDatabaseClock(db: Database) {
  let origin = Number.NaN

  async function sync() {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    const answeredAt = performance.now()
    const isExact = answeredAt - askedAt <= MAX_ROUND_TRIP_MS
    if (rows[0] && (isExact || Number.isNaN(origin))) origin = rows[0].now - (askedAt + answeredAt) / 2
  }

  await sync()
  // If a sync fails, the time is still calculated from the previous one.
  const timer = setInterval(() => sync().catch(() => {}), SYNC_EVERY_MS)
  return {
    now: () => new Date(origin + performance.now()),
    stop: () => clearInterval(timer),
  }
}
