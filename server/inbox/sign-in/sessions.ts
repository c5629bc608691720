import type { Request, RequestHandler, Response } from 'express'
import { CODE_MINUTES, FRESH_MINUTES, type Session } from '#shared/inbox/api.ts'
import { IN_USE } from '#shared/inbox/in-use.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { type SessionRow, sessionOf, setSession } from '../requests.ts'
import { createToken, hashToken } from './codes.ts'
import { passkeyHost } from './passkeys.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The longest that a session can last.
const MAX_SESSION_MS = 30 * DAY_MS
// A session ends after this long without use.
const MAX_IDLE_MS = 7 * DAY_MS
// `seen_at` is written at most this often.
const SEEN_EVERY_MS = 60 * 60 * 1000

/** When a session ends if it is not used again. */
const endOf = ({ signed_in_at, seen_at }: SessionRow): Date =>
  new Date(Math.min(Date.parse(signed_in_at) + MAX_SESSION_MS, Date.parse(seen_at) + MAX_IDLE_MS))

type Deps = Pick<InboxDeps, 'db' | 'now'> & { env: Pick<InboxDeps['env'], 'MAIL_TO'> }
type Sessions = ReturnType<typeof createSessions>

/**
 * Keeps track of who is signed in. A session is a row that contains the hash of a token. The token itself is only in the
 * browser's cookie.
 */
export function createSessions({ db, now, env }: Deps) {
  const isValid = (session: SessionRow): boolean =>
    env.MAIL_TO.includes(session.owner) && now() < endOf(session)

  return {
    /** The session with this id, if it hasn't ended. */
    async find(id: string): Promise<SessionRow | undefined> {
      const session = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
      return session && isValid(session) ? session : undefined
    },

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
     * Starts a session within the caller's transaction. It replaces expired sessions, and the earlier session of this browser,
     * whose token is `replaces`. `browser` is a description.
     */
    async start(transaction: Database, owner: string, browser: string, replaces = '') {
      const token = createToken()
      const at = now().toISOString()
      const monthAgo = new Date(now().getTime() - MAX_SESSION_MS).toISOString()
      await transaction
        .deleteFrom('sessions')
        .where(({ or, eb }) => or([eb('id', '=', hashToken(replaces)), eb('signed_in_at', '<=', monthAgo)]))
        .execute()
      const session: SessionRow = { id: hashToken(token), owner, browser, signed_in_at: at, seen_at: at }
      await transaction.insertInto('sessions').values(session).execute()
      return { token, session }
    },

    /** Ends a session. Returns false if it doesn't exist. */
    async end(id: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('sessions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },

    /** Ends the sessions of former owners, so that adding an address to MAIL_TO again doesn't revive its sessions. */
    async endFormerOwners(): Promise<void> {
      await db.deleteFrom('sessions').where('owner', 'not in', env.MAIL_TO).execute()
    },
  }
}

/** Requires a session, which `sessionOf` returns from then on. */
export const requireSession =
  (sessions: Sessions, cookies: Cookies): RequestHandler =>
  async (request, response, next) => {
    const token = cookies.session.read(request)
    if (token === undefined) throw new Problem('signed_out', 'Please sign in.')
    const session = await sessions.find(hashToken(token))
    if (!session) throw new Problem('signed_out', 'You have been signed out. Please sign in again.')
    // If the use can't be recorded, continue: a full disk must not keep the owner from reading.
    if (request.get(IN_USE)) await sessions.touch(session).catch(() => {})
    setSession(response, session)
    next()
  }

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

/** What the server tells the inbox page about its session. */
export const describeSession = (session: SessionRow, siteUrl: string): Session => ({
  id: session.id,
  owner: session.owner,
  browser: session.browser,
  signedInAt: session.signed_in_at,
  endsAt: endOf(session).toISOString(),
  canUsePasskeys: passkeyHost(siteUrl) !== undefined,
})

// How long the server recognizes a browser that an owner has used: the longest time that browsers keep a cookie.
const KNOWN_BROWSER_MS = 400 * DAY_MS

export type Cookies = ReturnType<typeof createCookies>

/**
 * The cookies of the inbox. On https, their names begin with `__Host-`, so that neither subdomains nor plain http can set
 * them. On plain http, browsers reject cookies with that prefix.
 */
export function createCookies(siteUrl: string) {
  const secure = siteUrl.startsWith('https:')
  const attributes = { httpOnly: true, secure, sameSite: 'strict', path: '/' } as const

  function cookie(suffix: string, maxAge: number) {
    const name = `${secure ? '__Host-' : ''}inbox-${suffix}`
    return {
      read({ headers }: Pick<Request, 'headers'>): string | undefined {
        const pairs = headers.cookie?.split(';').map((pair) => pair.trim())
        return pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
      },
      write: (response: Response, value: string) =>
        void response.cookie(name, value, { ...attributes, maxAge }),
      clear: (response: Response) => void response.clearCookie(name, attributes),
    }
  }

  return {
    session: cookie('session', MAX_SESSION_MS),
    /** A token for each code that this browser asked for. A code can be redeemed only with its token. */
    codeTokens: cookie('sign-in', CODE_MINUTES * 60 * 1000),
    /** Which owners have signed in with this browser. */
    known: cookie('known', KNOWN_BROWSER_MS),
  }
}

/**
 * Recognizes browsers that an owner has signed in with, by a cookie with a signature for each owner. The cookie alone signs
 * nobody in. An unknown browser gets fewer codes, and its sign-in is reported to the owner.
 */
export function createKnownBrowsers({ keyedHash, env }: InboxDeps, cookies: Cookies) {
  // No constant-time comparison is needed: a forged signature would only make a browser known, which signs nobody in.
  const sign = (owner: string) => keyedHash(`known browser ${owner.toLowerCase()}`)
  const isKnown = (request: Pick<Request, 'headers'>, owner: string): boolean =>
    (cookies.known.read(request) ?? '').split('.').includes(sign(owner))

  return {
    isKnown,

    /** Renews the cookie. Call this at each sign-in. */
    remember(request: Request, response: Response, owner: string) {
      const owners = env.MAIL_TO.filter((one) => one === owner || isKnown(request, one))
      cookies.known.write(response, owners.map(sign).join('.'))
    },
  }
}

// The first match counts: for compatibility, most user agents also name other browsers.
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems = ['iPhone', 'iPad', 'Android', 'CrOS', 'Windows', 'Macintosh', 'Linux']
const everydayNames: Record<string, string> = { CrOS: 'ChromeOS', Macintosh: 'Mac' }

/**
 * Describes a browser, for example as "Chrome on Android". Uses only our own words, because a user agent can contain any
 * text.
 */
export function browserInWords(userAgent = ''): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'An unknown browser'
  const system = systems.find((name) => userAgent.includes(name))
  return system ? `${browser} on ${everydayNames[system] ?? system}` : browser
}
