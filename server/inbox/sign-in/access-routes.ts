import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Router } from 'express'
import { type Access, addPasskey } from '#shared/inbox/api.ts'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { Problem } from '../../problem.ts'
import { readInput, type SessionRow, sessionOf } from '../requests.ts'
import type { SignInDeps } from './open-routes.ts'
import { createAddPasskey, createRemovePasskey } from './passkeys/change-passkeys.ts'
import { describeSession, requireFresh } from './sessions.ts'

/**
 * The routes for the session, the devices that are signed in, and the passkeys. Owners are partners: each can sign out any
 * device and remove any passkey, for example after another owner has lost a phone.
 */
export function accessRoutes(signInDeps: SignInDeps): Router {
  const { sessions, cookies, siteUrl } = signInDeps
  const fresh = requireFresh(signInDeps)
  const passkeys = createAddPasskey(signInDeps)
  const removePasskey = createRemovePasskey(signInDeps)
  return Router()
    .get('/session', (_request, response) => {
      response.json(describeSession(sessionOf(response), siteUrl))
    })
    .delete('/session', async (_request, response) => {
      await sessions.end(sessionOf(response).id)
      cookies.session.clear(response)
      response.status(204).end()
    })
    .get('/access', async (_request, response) => {
      response.json(await readAccess(signInDeps, sessionOf(response)))
    })
    .delete('/access/sessions/:id', fresh, async ({ params }, response) => {
      if (!(await sessions.end(String(params.id))))
        throw new Problem('not_found', 'This device is already signed out.')
      response.status(204).end()
    })
    .post('/access/passkeys/options', fresh, async (_request, response) => {
      response.json(await passkeys.options(sessionOf(response).owner))
    })
    .post('/access/passkeys', fresh, async (request, response) => {
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
    })
    .delete('/access/passkeys/:id', fresh, async ({ params }, response) => {
      const { owner, browser } = sessionOf(response)
      await removePasskey(String(params.id), { by: owner, browser })
      response.status(204).end()
    })
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
