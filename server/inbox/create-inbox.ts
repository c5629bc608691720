import { type RequestHandler, Router } from 'express'
import { apiPath } from '#shared/inbox/api.ts'
import { Problem } from '../problem.ts'
import { ownJsonOnly } from './http/own-json-only.ts'
import type { InboxDeps } from './inbox-deps.ts'
import { leadRoutes } from './leads/lead-routes.ts'
import { createLive } from './live/live-routes.ts'
import { createReads } from './reads/read-routes.ts'
import { createSignIn } from './sign-in/sign-in-routes.ts'

/** The owner's inbox: everything under `/api`. */
export function createInbox(deps: InboxDeps): { routes: RequestHandler; stop: () => Promise<void> } {
  const signIn = createSignIn(deps)
  const live = createLive(deps, signIn)
  const reads = createReads(deps, signIn.requireFresh)
  const routes = Router().use(
    apiPath,
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store')
      next()
    },
    ownJsonOnly(deps.siteUrl),
    signIn.openRoutes,
    signIn.requireSession,
    signIn.routes,
    live.routes,
    reads.routes,
    leadRoutes(deps, signIn.requireFresh),
    () => {
      throw new Problem('not_found', 'There is nothing at this address.')
    },
  )
  return {
    routes,
    async stop() {
      live.stop()
      await reads.stop()
    },
  }
}
