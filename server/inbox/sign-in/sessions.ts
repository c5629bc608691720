import { type Selectable, sql } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Database, Schema } from '../../database/schema.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { MAX_SESSION_MS } from './cookies.ts'
import { endOldSessions, MAX_IDLE_MS } from './end-old-sessions.ts'
import { createToken, hashToken } from './secrets.ts'

type Session = Selectable<Schema['sessions']>

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// `seen_at` is written at most this often.
const SEEN_EVERY_MS = HOUR_MS
// A sign-in time further in the future than this comes from a wrong clock, and the session would last too long.
const CLOCK_TOLERANCE_MS = DAY_MS

const findSession = prepared((db, { id }: { id: string }) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id),
)

/** When a session ends if it is not used again. */
export const endOf = ({ signed_in_at, seen_at }: Session): Date =>
  new Date(Math.min(Date.parse(signed_in_at) + MAX_SESSION_MS, Date.parse(seen_at) + MAX_IDLE_MS))

export type Sessions = ReturnType<typeof createSessions>

/**
 * Keeps track of who is signed in. A session is a row that contains the hash of a token. The token itself is only in the
 * browser's cookie.
 */
export function createSessions({ db, now, mailTo }: Pick<InboxDeps, 'db' | 'now' | 'mailTo'>) {
  const listeners = new Map<string, Set<() => void>>()

  const isValid = (session: Session): boolean =>
    mailTo.includes(session.owner) &&
    now() < endOf(session) &&
    Date.parse(session.signed_in_at) - now().getTime() <= CLOCK_TOLERANCE_MS

  async function read(id: string): Promise<Session | undefined> {
    const [session] = (await findSession(db, { id })).rows
    return session && isValid(session) ? session : undefined
  }

  function announce(ended: readonly string[]) {
    for (const id of ended) for (const listener of listeners.get(id) ?? []) listener()
  }

  return {
    /** The session with this token, if it hasn't ended. */
    find: (token: string) => read(hashToken(token)),

    isAlive: async (id: string): Promise<boolean> => (await read(id)) !== undefined,

    /** The sessions that haven't ended, most recently used first. */
    async list(): Promise<Session[]> {
      const sessions = await db.selectFrom('sessions').selectAll().orderBy('seen_at', 'desc').execute()
      return sessions.filter(isValid)
    },

    /** Records that the session was used, at most hourly. */
    async touch({ id, seen_at }: Session): Promise<void> {
      const at = now()
      if (at.getTime() - Date.parse(seen_at) < SEEN_EVERY_MS) return
      await db.updateTable('sessions').set({ seen_at: at.toISOString() }).where('id', '=', id).execute()
    },

    /**
     * Starts a session within the caller's transaction. It replaces the browser's earlier session. Call `announce` with
     * `ended` after the commit.
     */
    async start(
      transaction: Database,
      { owner, browser, replaces }: { owner: string; browser: string; replaces: string | undefined },
    ) {
      const token = createToken()
      const at = now().toISOString()
      const earlier = await transaction
        .deleteFrom('sessions')
        .where('id', '=', hashToken(replaces ?? ''))
        .returningAll()
        .execute()
      const ended = [...earlier.map(({ id }) => id), ...(await endOldSessions(transaction, owner, now()))]
      const same = earlier.find((session) => session.owner === owner)
      const session: Session = {
        id: hashToken(token),
        owner,
        browser,
        created_at: same?.created_at ?? at,
        signed_in_at: at,
        seen_at: at,
      }
      await transaction.insertInto('sessions').values(session).execute()
      return { token, session, ended }
    },

    /** Ends a session. Returns false if it doesn't exist. */
    async end(id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      announce([id])
      return numDeletedRows > 0n
    },

    /** Ends the sessions of former owners, so that adding an address to MAIL_TO again doesn't revive its sessions. */
    async endFormerOwners(): Promise<void> {
      const owners = sql.join(mailTo)
      await db.deleteFrom('sessions').where(sql<boolean>`owner not in (${owners})`).execute()
    },

    /** Tells this replica's listeners that sessions have ended. Other replicas find out with `isAlive`. */
    announce,

    /** Whether the inbox is open on that device. Its stream of changes, which only a visible page has, waits for the end. */
    isInUse: (id: string): boolean => listeners.has(id),

    onEnd(id: string, listener: () => void): () => void {
      const others = listeners.get(id) ?? new Set()
      listeners.set(id, others.add(listener))
      return () => {
        if (others.delete(listener) && others.size === 0) listeners.delete(id)
      }
    },
  }
}
