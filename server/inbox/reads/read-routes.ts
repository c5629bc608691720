import { Router } from 'express'
import type { InboxDeps } from '../inbox-deps.ts'

/** Lists, search, one lead, figures and exports, all off the serving thread. */
export function createReads(_deps: InboxDeps) {
  return { routes: Router(), async stop() {} }
}
