import { sql } from 'kysely'
import type { Database } from '../schema.ts'

const LOOK_EVERY_MS = 10_000
// An answer that took longer says too little about when it was given.
const LONGEST_ANSWER_MS = 1_000

/**
 * The time of the database, for every copy the same: leases, limits and retention compare what different machines wrote.
 * Between two looks it goes on by the steady clock of this process, which no one sets.
 */
export async function startDatabaseClock(db: Database) {
  let zero = Number.NaN

  async function look() {
    const askedAt = performance.now()
    const { rows } = await sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db)
    const answeredAt = performance.now()
    const isExact = answeredAt - askedAt <= LONGEST_ANSWER_MS
    if (rows[0] && (isExact || Number.isNaN(zero))) zero = rows[0].now - (askedAt + answeredAt) / 2
  }

  await look()
  // One that fails changes nothing.
  const timer = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS)
  return {
    now: () => new Date(zero + performance.now()),
    stop: () => clearInterval(timer),
  }
}
