import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Request, Response } from 'express'
import { type Access, addPasskey } from '#shared/inbox/api.ts'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, send, sessionOf } from '../requests.ts'
import type { Cookies } from './browsers.ts'
import type { Passkeys } from './passkeys.ts'
import { describeSession, type Sessions } from './sessions.ts'

type Deps = InboxDeps & {
  sessions: Sessions
  passkeys: Passkeys
  cookies: Cookies
}

/**
 * Handles the session, the devices that are signed in, and the passkeys. Owners are partners: each can sign out any device
 * and remove any passkey, for example after another owner has lost a phone.
 */
export function accessRoutes({ db, siteUrl, sessions, passkeys, cookies }: Deps) {
  async function readAccess(current: string): Promise<Access> {
    const found = await sessions.list()
    return {
      sessions: found.map(({ id, owner, browser, seen_at: seenAt }) => {
        return { id, owner, browser, seenAt, isThisOne: id === current }
      }),
      passkeys: await db
        .selectFrom('passkeys')
        .select(['id', 'owner', 'name', 'created_at as createdAt', 'used_at as usedAt'])
        .orderBy('created_at')
        .execute(),
    }
  }

  return {
    session: send((_request, response) => describeSession(sessionOf(response), siteUrl)),
    async signOut(_request: Request, response: Response) {
      await sessions.end(sessionOf(response).id)
      cookies.session.clear(response)
      response.status(204).end()
    },
    list: send((_request, response) => readAccess(sessionOf(response).id)),
    async endSession({ params }: Request, response: Response) {
      if (!(await sessions.end(String(params.id))))
        throw new Problem('not_found', 'This device is already signed out.')
      response.status(204).end()
    },
    passkeyOptions: send((_request, response) => passkeys.optionsToAdd(sessionOf(response).owner)),
    async addPasskey({ body }: Request, response: Response) {
      const advice = 'The passkey could not be read. Please try again.'
      const { name: typed = '', ...registration } = readInput(addPasskey, body, advice)
      const { owner, browser } = sessionOf(response)
      const name = replaceInvisible(typed).replace(/\s+/g, ' ').trim() || browser
      const added = registration as unknown as RegistrationResponseJSON
      await passkeys.add({ owner, browser, name, response: added })
      response.status(201).json({})
    },
    async removePasskey({ params }: Request, response: Response) {
      const { owner, browser } = sessionOf(response)
      await passkeys.remove(String(params.id), { by: owner, browser })
      response.status(204).end()
    },
  }
}
