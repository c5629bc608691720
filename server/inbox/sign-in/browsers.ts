import type { Request, Response } from 'express'
import { CODE_MINUTES } from '#shared/inbox/api.ts'
import type { InboxDeps } from '../inbox-deps.ts'

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

type Deps = Pick<InboxDeps, 'keyedHash' | 'env'> & { cookies: Cookies }

/**
 * Recognizes browsers that an owner has signed in with, by a cookie with a signature for each owner. The cookie alone signs
 * nobody in. An unknown browser gets fewer codes, and its sign-in is reported to the owner.
 */
export function createKnownBrowsers({ keyedHash, env, cookies }: Deps) {
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
