import type { Request, Response } from 'express'
import { type Cookies, KNOWN_BROWSER_MS } from './cookies.ts'

// The cookie lists at most this many owners: more would make it too long.
const MAX_OWNERS = 4
// The server's clock may have been ahead when it signed the time.
const CLOCK_TOLERANCE_MS = 24 * 60 * 60 * 1000

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
