import { Router } from 'express'
import type { InboxDeps } from '../inbox-deps.ts'

/** Everything an owner does with a lead. */
export function leadRoutes(_deps: InboxDeps): Router {
  return Router()
}
