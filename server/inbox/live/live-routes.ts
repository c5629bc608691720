import { Router } from 'express'
import type { InboxDeps } from '../inbox-deps.ts'
import type { SignIn } from '../sign-in/sign-in-routes.ts'

/** The event stream that tells an open inbox to fetch again. */
export function createLive(_deps: InboxDeps, _signIn: SignIn) {
  return { routes: Router(), stop() {} }
}
