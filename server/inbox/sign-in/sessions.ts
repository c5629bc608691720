import type { RequestHandler } from 'express'
import { sql } from 'kysely'
import { FRESH_MINUTES, type Session } from '#shared/inbox/api.ts'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { type SessionRow, sessionOf } from '../requests.ts'
import { MAX_SESSION_MS } from './cookies.ts'
import { passkeyHost } from './passkeys/challenges.ts'
import { createToken, hashToken } from './secrets.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// `seen_at` is written at most this often.
const SEEN_EVERY_MS = HOUR_MS
// A sign-in time further in the future than this comes from a wrong clock, and the session would last too long.
const CLOCK_TOLERANCE_MS = DAY_MS
// A session ends after this long without use.
const MAX_IDLE_MS = 7 * DAY_MS
// No owner has this many devices. Beyond this limit, each new session ends the owner's longest-idle one.
const MAX_SESSIONS = 20

const findSession = prepared((db, { id }: { id: string }) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id),
)

/** When a session ends if it is not used again. */
const endOf = ({ signed_in_at, seen_at }: SessionRow): Date =>
  new Date(Math.min(Date.parse(signed_in_at) + MAX_SESSION_MS, Date.parse(seen_at) + MAX_IDLE_MS))

export type Sessions = ReturnType<typeof createSessions>

/**
 * Keeps track of who is signed in. A session is a row that contains the hash of a token. The token itself is only in the
 * browser's cookie.
 */
export function createSessions({ db, now, mailTo }: Pick<InboxDeps, 'db' | 'now' | 'mailTo'>) {
  const listeners = new Map<string, Set<() => void>>()

  const isValid = (session: SessionRow): boolean =>
    mailTo.includes(session.owner) &&
    now() < endOf(session) &&
    Date.parse(session.signed_in_at) - now().getTime() <= CLOCK_TOLERANCE_MS

  async function read(id: string): Promise<SessionRow | undefined> {
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
    async list(): Promise<SessionRow[]> {
      const sessions = await db.selectFrom('sessions').selectAll().orderBy('seen_at', 'desc').execute()
      return sessions.filter(isValid)
    },

    /** Records that the session was used, at most hourly. */
    async touch({ id, seen_at }: SessionRow): Promise<void> {
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
      const session: SessionRow = {
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

/**
 * Ends expired sessions, and this owner's sessions over the limit, within the caller's transaction. Returns the ids of the
 * ended sessions.
 */
async function endOldSessions(transaction: Database, owner: string, now: Date): Promise<string[]> {
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

/** What the server tells the inbox page about its session. */
export const describeSession = (session: SessionRow, siteUrl: string): Session => ({
  id: session.id,
  owner: session.owner,
  browser: session.browser,
  signedInAt: session.signed_in_at,
  endsAt: endOf(session).toISOString(),
  canUsePasskeys: passkeyHost(siteUrl) !== undefined,
})

/** Requires a sign-in in the last ten minutes, for actions that nobody should be able to take on an unattended phone. */
export const requireFresh =
  ({ now }: { now: () => Date }): RequestHandler =>
  (_request, response, next) => {
    const age = now().getTime() - Date.parse(sessionOf(response).signed_in_at)
    // The age is negative if the clock was set back after the sign-in.
    if (Math.abs(age) > FRESH_MINUTES * 60_000)
      throw new Problem('sign_in_again', 'To be sure that it is you, please sign in again first.')
    next()
  }
