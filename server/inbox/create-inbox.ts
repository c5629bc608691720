import { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import { apiPath } from '#shared/inbox/api.ts'
import { stopReading } from '../http/unread-body.ts'
import { Problem } from '../problem.ts'
import { compressJson } from './compress-json.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { leadRoutes } from './leads/lead-routes.ts'
import { createLive } from './live/live-routes.ts'
import { createReads } from './reads/read-routes.ts'
import { OWNERS_BODY_BYTES, ownJsonOnly, readJson } from './requests.ts'
import { reportRestore } from './sign-in/queue-sign-in-email.ts'
import { createSignIn, type SignIn } from './sign-in/sign-in-routes.ts'

type Inbox = {
  routes: RequestHandler
  signIn: SignIn
  start: () => Promise<void>
  stop: () => void
}

/** Creates the server's part of the owner's inbox: every route under `/api`. */
export function createInbox(deps: InboxDeps): Inbox {
  const signIn = createSignIn(deps)
  const live = createLive(deps, signIn)
  const reads = createReads(deps, signIn.requireFresh)
  const routes = Router().use(
    apiPath,
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store')
      next()
    },
    compressJson,
    ownJsonOnly(deps.siteUrl),
    signIn.openRoutes,
    signIn.requireSession,
    readJson(OWNERS_BODY_BYTES),
    signIn.routes,
    live.routes,
    reads.routes,
    leadRoutes(deps, signIn.requireFresh),
    () => {
      throw new Problem('not_found', 'There is nothing at this address.')
    },
  )
  // Only for API paths: on any other path, this error handler would delay each request by a turn of the event loop.
  routes.use(apiPath, stopReadingFirst)
  return {
    routes,
    signIn,
    async start() {
      await signIn.start()
      await reportRestore(deps)
    },
    stop() {
      live.stop()
      reads.stop()
    },
  }
}

/**
 * Stops reading the body as soon as a request fails. Express calls the next error handler only in a later turn of the event
 * loop, and until then, Node would handle every chunk that arrives.
 */
const stopReadingFirst: ErrorRequestHandler = (error, request, _response, next) => {
  stopReading(request)
  next(error)
}
