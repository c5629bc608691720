import { fileRoutes } from './file-routes.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { leadRoutes } from './lead-routes.ts'
import { createLive, type Streams } from './live/live-routes.ts'
import { pushRoutes } from './push-routes.ts'
import { createReads } from './read-routes.ts'
import { savedReplyRoutes } from './saved-replies.ts'
import { reportRestore } from './sign-in/sign-in-email.ts'
import { createSignIn } from './sign-in/sign-in-routes.ts'
import { uploadRoutes } from './upload-routes.ts'

export type Inbox = ReturnType<typeof createInbox>

/** The server's part of the owner's inbox. Its addresses are in app.ts. */
export function createInbox(deps: InboxDeps) {
  const streams: Streams = new Map()
  const signIn = createSignIn(deps, streams)
  const live = createLive(deps, streams, signIn.findSession)
  return {
    signIn,
    live,
    push: pushRoutes(deps),
    replies: savedReplyRoutes(deps),
    reads: createReads(deps),
    leads: leadRoutes(deps),
    files: fileRoutes(deps),
    uploads: uploadRoutes(deps),
    async start() {
      await signIn.start()
      await reportRestore(deps)
    },
    stop: live.stop,
  }
}
