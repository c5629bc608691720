import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Request, Response } from 'express'
import { type Access, addPasskey } from '#shared/inbox/api.ts'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { Problem } from '../../problem.ts'
import { readInput, type SessionRow, send, sessionOf } from '../requests.ts'
import type { SignInDeps } from './open-routes.ts'
import { createAddPasskey, createRemovePasskey } from './passkeys/change-passkeys.ts'
import { describeSession } from './sessions.ts'

/**
 * Handles the session, the devices that are signed in, and the passkeys. Owners are partners: each can sign out any device
 * and remove any passkey, for example after another owner has lost a phone.
 */
export function accessRoutes(signInDeps: SignInDeps) {
  const { sessions, cookies, siteUrl } = signInDeps
  const passkeys = createAddPasskey(signInDeps)
  const removePasskey = createRemovePasskey(signInDeps)
  return {
    session: send((_request, response) => describeSession(sessionOf(response), siteUrl)),
    async signOut(_request: Request, response: Response) {
      await sessions.end(sessionOf(response).id)
      cookies.session.clear(response)
      response.status(204).end()
    },
    list: send((_request, response) => readAccess(signInDeps, sessionOf(response))),
    async endSession({ params }: Request, response: Response) {
      if (!(await sessions.end(String(params.id))))
        throw new Problem('not_found', 'This device is already signed out.')
      response.status(204).end()
    },
    passkeyOptions: send((_request, response) => passkeys.options(sessionOf(response).owner)),
    async addPasskey(request: Request, response: Response) {
      const { name, ...registration } = readInput(
        addPasskey,
        request.body,
        'The passkey could not be read. Please try again.',
      )
      const { owner, browser } = sessionOf(response)
      await passkeys.add({
        owner,
        browser,
        name: (name && oneLine(name)) || browser,
        response: registration as unknown as RegistrationResponseJSON,
      })
      response.status(201).json({})
    },
    async removePasskey({ params }: Request, response: Response) {
      const { owner, browser } = sessionOf(response)
      await removePasskey(String(params.id), { by: owner, browser })
      response.status(204).end()
    },
  }
}

const oneLine = (text: string) => replaceInvisible(text).replace(/\s+/g, ' ').trim()

async function readAccess({ db, sessions }: SignInDeps, current: SessionRow): Promise<Access> {
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['id', 'owner', 'name', 'created_at as createdAt', 'used_at as usedAt'])
    .orderBy('created_at')
    .execute()
  const others = await sessions.list()
  return {
    sessions: others.map(({ id, owner, browser, created_at, seen_at }) => ({
      id,
      owner,
      browser,
      createdAt: created_at,
      seenAt: seen_at,
      isInUse: sessions.isInUse(id),
      isThisOne: id === current.id,
    })),
    passkeys,
  }
}
