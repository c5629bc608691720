import type { Request, RequestHandler, Response } from 'express'
import { FRESH_MINUTES, type Session } from '#shared/inbox/api.ts'
import { IN_USE, PAGE_OF } from '#shared/inbox/headers.ts'
import { Problem } from '../../errors/problem.ts'
import { type SessionRow, sessionOf, setSession } from '../../http/requests.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { createToken, hashToken } from './codes.ts'
import { passkeyHost } from './passkeys.ts'
import { queueSignInEmail } from './sign-in-email.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The longest that a session can last.
const MAX_SESSION_MS = 30 * DAY_MS
// A session ends after this long without use.
const MAX_IDLE_MS = 7 * DAY_MS
// `seen_at` is written at most this often.
const SEEN_EVERY_MS = 60 * 60 * 1000
// How long the server recognizes a browser that an owner has used: the longest time that browsers
// keep a cookie.
const KNOWN_BROWSER_MS = 400 * DAY_MS

/** When a session ends if it is not used again. */
export const endOf = ({ signed_in_at, seen_at }: Pick<SessionRow, 'signed_in_at' | 'seen_at'>): Date =>
  new Date(Math.min(Date.parse(signed_in_at) + MAX_SESSION_MS, Date.parse(seen_at) + MAX_IDLE_MS))

/**
 * Keeps track of who is signed in. A session is a row that contains the hash of a token. The token
 * itself is only in the browser's cookie.
 */
export function createSessions(deps: InboxDeps) {
  const { db, write, now, env, siteUrl, keyedHash, log } = deps
  const sessionCookie = createCookie(siteUrl, 'session', MAX_SESSION_MS)
  const knownCookie = createCookie(siteUrl, 'known', KNOWN_BROWSER_MS)
  const isValid = (session: SessionRow) => env.MAIL_TO.includes(session.owner) && now() < endOf(session)
  // No constant-time comparison is needed: a forged signature would only make a browser known,
  // which signs nobody in.
  const sign = (owner: string) => keyedHash(`known browser ${owner.toLowerCase()}`)

  /**
   * Whether an owner has signed in with this browser, according to a cookie with a signature for
   * each owner. The cookie alone signs nobody in. An unknown browser gets fewer codes, and its
   * sign-in is reported to the owner.
   */
  const isKnown = (request: Pick<Request, 'headers'>, owner: string) =>
    (knownCookie.read(request) ?? '').split('.').includes(sign(owner))

  /**
   * The session with this id, if it hasn't ended. Reads the database: another replica may have
   * ended it.
   */
  async function find(id: string): Promise<SessionRow | undefined> {
    const session = await db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
    return session && isValid(session) ? session : undefined
  }

  /** Ends a session. Returns false if it doesn't exist. */
  async function end(id: string): Promise<boolean> {
    const ended = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirstOrThrow()
    return ended.numDeletedRows > 0n
  }

  /** What the server tells the inbox page about its session. */
  const describe = (session: SessionRow): Session => ({
    id: session.id,
    owner: session.owner,
    browser: session.browser,
    signedInAt: session.signed_in_at,
    canUsePasskeys: passkeyHost(siteUrl) !== undefined,
  })

  /** Requires a session, which `sessionOf` returns from then on. */
  const requireSession: RequestHandler = async (request, response, next) => {
    const token = sessionCookie.read(request)
    if (token === undefined) throw new Problem('signed_out', 'Please sign in.')
    const session = await find(hashToken(token))
    const page = request.get(PAGE_OF)?.toLowerCase()
    const isOthers = session && page && page !== encodeURIComponent(session.owner).toLowerCase()
    if (!session || isOthers)
      throw new Problem('signed_out', 'You have been signed out. Please sign in again.')
    if (request.get(IN_USE) && now().getTime() - Date.parse(session.seen_at) >= SEEN_EVERY_MS) {
      const seen = { seen_at: now().toISOString() }
      const touched = db.updateTable('sessions').set(seen).where('id', '=', session.id).execute()
      // If the use can't be recorded, continue: a full disk must not keep the owner from reading.
      await touched.catch(() => {})
    }
    setSession(response, session)
    next()
  }

  /**
   * Requires a sign-in in the last ten minutes, for actions that nobody should be able to take on
   * an unattended phone.
   */
  const requireFresh: RequestHandler = (_request, response, next) => {
    const age = now().getTime() - Date.parse(sessionOf(response).signed_in_at)
    // The age is negative if the clock was set back after the sign-in.
    if (Math.abs(age) > FRESH_MINUTES * 60_000)
      throw new Problem('sign_in_again', 'To be sure that it is you, please sign in again first.')
    next()
  }

  return {
    isKnown,
    find,
    describe,
    requireSession,
    requireFresh,
    end,

    /** The sessions that haven't ended, most recently used first. */
    async list(): Promise<SessionRow[]> {
      const sessions = await db.selectFrom('sessions').selectAll().orderBy('seen_at', 'desc').execute()
      return sessions.filter(isValid)
    },

    /**
     * Signs a browser in: starts a session, which replaces the browser's earlier one and any
     * expired ones, queues an email to the owner if the browser is new, and sets the cookies.
     */
    async start(request: Request, response: Response, how: string, owner: string): Promise<void> {
      const browser = browserInWords(request.headers['user-agent'])
      const isNew = !isKnown(request, owner)
      const token = createToken()
      const at = now().toISOString()
      const monthAgo = new Date(now().getTime() - MAX_SESSION_MS).toISOString()
      const earlier = hashToken(sessionCookie.read(request) ?? '')
      const session: SessionRow = { id: hashToken(token), owner, browser, signed_in_at: at, seen_at: at }
      await write(async (transaction) => {
        if (isNew) await queueSignInEmail(transaction, owner, { what: 'new_browser', browser }, deps)
        await transaction.insertInto('sessions').values(session).execute()
        // An owner who only confirms who it is goes on getting push messages.
        const ofOwner = transaction.selectFrom('sessions').select('id').where('owner', '=', owner)
        await transaction
          .updateTable('push_subscriptions')
          .set({ session: session.id })
          .where('session', 'in', ofOwner.where('id', '=', earlier))
          .execute()
        await transaction
          .deleteFrom('sessions')
          .where(({ or, eb }) => or([eb('id', '=', earlier), eb('signed_in_at', '<=', monthAgo)]))
          .execute()
      })
      log.info({ how, isNew }, 'signed in')
      sessionCookie.write(response, token)
      const known = env.MAIL_TO.filter((one) => one === owner || isKnown(request, one))
      knownCookie.write(response, known.map(sign).join('.'))
      response.json(describe(session))
    },

    async signOut(_request: Request, response: Response): Promise<void> {
      await end(sessionOf(response).id)
      sessionCookie.clear(response)
      response.status(204).end()
    },

    /**
     * Ends the sessions of former owners, so that adding an address to MAIL_TO again doesn't revive
     * its sessions.
     */
    async endFormerOwners(): Promise<void> {
      await db.deleteFrom('sessions').where('owner', 'not in', env.MAIL_TO).execute()
    },
  }
}

/**
 * A cookie of the inbox. On https, its name begins with `__Host-`, so that neither subdomains nor
 * plain http can set it. On plain http, browsers reject cookies with that prefix.
 */
export function createCookie(siteUrl: string, suffix: string, maxAge: number) {
  const secure = siteUrl.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}inbox-${suffix}`
  const attributes = { httpOnly: true, secure, sameSite: 'strict', path: '/' } as const
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

// The first match counts: for compatibility, most user agents also name other browsers.
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems = ['iPhone', 'iPad', 'Android', 'CrOS', 'Windows', 'Mac', 'Linux']

/**
 * Describes a browser, for example as "Chrome on Android". Uses only our own words, because a user
 * agent can contain any text.
 */
export function browserInWords(userAgent = ''): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'An unknown browser'
  const system = systems.find((name) => userAgent.includes(name))
  return system ? `${browser} on ${system.replace('CrOS', 'ChromeOS')}` : browser
}
