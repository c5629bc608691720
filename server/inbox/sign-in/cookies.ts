import type { Request, Response } from 'express'
import { CODE_MINUTES } from '#shared/inbox/api.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The longest that a session can last. */
export const MAX_SESSION_MS = 30 * DAY_MS
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
      read: ({ headers }: Pick<Request, 'headers'>): string | undefined => find(headers.cookie, name),
      write: (response: Response, value: string) =>
        response.cookie(name, value, { ...attributes, maxAge }) && undefined,
      clear: (response: Response) => response.clearCookie(name, attributes) && undefined,
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

function find(header: string | undefined, name: string): string | undefined {
  const pairs = header?.split(';').map((pair) => pair.trim())
  return pairs?.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

// The cookie lists at most this many owners: more would make it too long.
const MAX_OWNERS = 4
// The server's clock may have been ahead when it signed the time.
const CLOCK_TOLERANCE_MS = DAY_MS

type Deps = { keyedHash: (text: string) => string; now: () => Date; cookies: Cookies }

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>

/**
 * Recognizes browsers that an owner has signed in with, by a cookie that contains the signed time of each owner's last
 * sign-in. The cookie alone signs nobody in. An unknown browser gets fewer codes, and its sign-in is reported to the owner.
 */
export function createKnownBrowsers({ keyedHash, now, cookies }: Deps) {
  const sign = (owner: string, time: string) => keyedHash(`known browser ${owner.toLowerCase()} ${time}`)
  const entriesOf = (request: Pick<Request, 'headers'>) => (cookies.known.read(request) ?? '').split('.')

  function belongsTo(entry: string, owner: string): boolean {
    const [time = '', signature] = entry.split('~')
    const age = now().getTime() - Number.parseInt(time, 36)
    // No constant-time comparison is needed: a forged entry would only make a browser known, which signs nobody in.
    return age > -CLOCK_TOLERANCE_MS && age < KNOWN_BROWSER_MS && signature === sign(owner, time)
  }

  return {
    isKnown: (request: Pick<Request, 'headers'>, owner: string): boolean =>
      entriesOf(request).some((entry) => belongsTo(entry, owner)),

    /** Renews the cookie. Call this at each sign-in. */
    remember(request: Request, response: Response, owner: string) {
      const others = entriesOf(request).filter((entry) => entry !== '' && !belongsTo(entry, owner))
      const time = now().getTime().toString(36)
      const entries = [`${time}~${sign(owner, time)}`, ...others].slice(0, MAX_OWNERS)
      cookies.known.write(response, entries.join('.'))
    },
  }
}
