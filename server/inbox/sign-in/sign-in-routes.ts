import { type RequestHandler, Router } from 'express'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'

export type SignIn = ReturnType<typeof createSignIn>

/** Who gets in: codes, links, passkeys and sessions. */
export function createSignIn(_deps: InboxDeps) {
  const requireSession: RequestHandler = () => {
    throw new Problem('signed_out', 'Please sign in.')
  }
  return {
    /** Without a session: asking for a code, and signing in. */
    openRoutes: Router(),
    requireSession,
    /** For what needs a recent sign-in. */
    requireFresh: requireSession,
    /** The session itself, signed-in devices and passkeys. */
    routes: Router(),
    /** Calls back when a session ends; returns how to stop listening. */
    onEnd: (_sessionId: string, _listener: () => void) => () => {},
  }
}
