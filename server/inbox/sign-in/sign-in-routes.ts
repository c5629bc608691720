import type { RequestHandler } from 'express'
import { IN_USE } from '#shared/inbox/in-use.ts'
import { PAGE_OWNER } from '#shared/inbox/page-owner.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { setSession } from '../requests.ts'
import { accessRoutes } from './access-routes.ts'
import { createCookies, createKnownBrowsers } from './cookies.ts'
import { openRoutes } from './open-routes.ts'
import { createSessions, requireFresh } from './sessions.ts'

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in with codes, links and passkeys, and the resulting sessions. */
export function createSignIn(deps: InboxDeps) {
  const sessions = createSessions(deps)
  const cookies = createCookies(deps.siteUrl)
  const signInDeps = { ...deps, sessions, cookies, knownBrowsers: createKnownBrowsers({ ...deps, cookies }) }

  const requireSession: RequestHandler = async (request, response, next) => {
    const token = cookies.session.read(request)
    if (token === undefined) throw new Problem('signed_out', 'Please sign in.')
    const session = await sessions.find(token)
    if (!session) throw new Problem('signed_out', 'You have been signed out. Please sign in again.')
    // Reject requests from a page that another owner opened: an unsaved draft could be stored as the wrong owner's.
    if ((request.get(PAGE_OWNER) ?? encodeURIComponent(session.owner)) !== encodeURIComponent(session.owner))
      throw new Problem('signed_out', 'Another owner has signed in with this browser. Please sign in again.')
    // If the use can't be recorded, continue: a full disk must not keep the owner from reading.
    if (request.get(IN_USE)) await sessions.touch(session).catch(() => {})
    setSession(response, session)
    next()
  }

  return {
    ...openRoutes(signInDeps),
    requireSession,
    requireFresh: requireFresh(deps),
    access: accessRoutes(signInDeps),
    /**
     * Calls `listener` when this replica ends a session; returns a function that removes the listener. Signing in again also
     * ends the browser's earlier session. So when a session ends, the page must check whether the browser has a new one
     * before it asks the owner to sign in.
     */
    onEnd: sessions.onEnd,
    /** Whether the session is still valid. Reads the database, because another replica may have ended the session. */
    isAlive: sessions.isAlive,
    /** Ends the sessions of owners who are no longer in MAIL_TO. */
    start: () =>
      sessions
        .endFormerOwners()
        .catch((error: unknown) => deps.log.error({ err: error }, 'sessions of former owners not ended')),
  }
}
