import type { Database } from '../../database/schema.ts'
import { MAX_SESSION_MS } from './cookies.ts'

/** A session ends after this long without use. */
export const MAX_IDLE_MS = 7 * 24 * 60 * 60 * 1000
// No owner has this many devices. Beyond this limit, each new session ends the owner's longest-idle one.
const MAX_SESSIONS = 20

/**
 * Ends expired sessions, and this owner's sessions over the limit, within the caller's transaction. Returns the ids of the
 * ended sessions.
 */
export async function endOldSessions(transaction: Database, owner: string, now: Date): Promise<string[]> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  const newest = transaction
    .selectFrom('sessions')
    .select('id')
    .where('owner', '=', owner)
    .orderBy('seen_at', 'desc')
    .limit(MAX_SESSIONS - 1)
  const ended = await transaction
    .deleteFrom('sessions')
    .where(({ or, and, eb }) =>
      or([
        eb('signed_in_at', '<=', ago(MAX_SESSION_MS)),
        eb('seen_at', '<=', ago(MAX_IDLE_MS)),
        and([eb('owner', '=', owner), eb('id', 'not in', newest)]),
      ]),
    )
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}
