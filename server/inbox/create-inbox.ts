import type { InboxDeps } from './inbox-deps.ts'
import { leadRoutes } from './leads/lead-routes.ts'
import { createLive } from './live/live-routes.ts'
import { createReads } from './reads/read-routes.ts'
import { createSignIn } from './sign-in/sign-in-routes.ts'

export type Inbox = ReturnType<typeof createInbox>

/** The server's part of the owner's inbox. Its addresses are in app.ts. */
export function createInbox(deps: InboxDeps) {
  const signIn = createSignIn(deps)
  const live = createLive(deps, signIn.findSession)
  return {
    signIn,
    live,
    reads: createReads(deps),
    leads: leadRoutes(deps),
    start: signIn.start,
    stop: live.stop,
  }
}
