import type { Request, Response } from 'express'
import { CODE_MINUTES } from '#shared/inbox/api.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The longest that a session can last. */
export const MAX_SESSION_MS = 30 * DAY_MS
/** How long the server recognizes a browser that an owner has used: the longest time that browsers keep a cookie. */
export const KNOWN_BROWSER_MS = 400 * DAY_MS

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
