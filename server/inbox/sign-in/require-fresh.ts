import type { RequestHandler } from 'express'
import { FRESH_MINUTES } from '#shared/inbox/api.ts'
import { Problem } from '../../problem.ts'
import { sessionOf } from '../http/session-of.ts'

/** Requires a sign-in in the last ten minutes, for actions that nobody should be able to take on an unattended phone. */
export const requireFresh =
  ({ now }: { now: () => Date }): RequestHandler =>
  (_request, response, next) => {
    const age = now().getTime() - Date.parse(sessionOf(response).signed_in_at)
    // The age is negative if the clock was set back after the sign-in.
    if (Math.abs(age) > FRESH_MINUTES * 60_000)
      throw new Problem('sign_in_again', 'To be sure that it is you, please sign in again first.')
    next()
  }
