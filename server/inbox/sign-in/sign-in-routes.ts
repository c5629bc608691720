import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Request, Response } from 'express'
import {
  type Access,
  CODE_ELSEWHERE,
  CODE_MINUTES,
  codeInput,
  codeWanted,
  linkInput,
  passkeyInput,
  readCode,
  usePasskey,
} from '#shared/inbox/api.ts'
import { replaceInvisible } from '#shared/text/invisible-characters.ts'
import { Problem } from '../../errors/problem.ts'
import { floodLimit } from '../../http/flood-limit.ts'
import { readInput, send, sessionOf } from '../../http/requests.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { Streams } from '../live/live-routes.ts'
import { createCodes } from './codes.ts'
import { createPasskeys } from './passkeys.ts'
import { renameOwners } from './rename-owners.ts'
import { browserInWords, createCookie, createSessions } from './sessions.ts'

// How many requests a network can send in an hour to all addresses of signing in. Further ones are
// refused before their body is read. Codes have tighter limits of their own.
const MAX_REQUESTS = 200
// How many codes of one browser work at the same time.
const MAX_TOKENS = 3

/** Sign-in with codes, links and passkeys, and the resulting sessions. */
export function createSignIn(deps: InboxDeps, streams: Streams) {
  const { db, env, clientOf } = deps
  const sessions = createSessions(deps)
  const codes = createCodes(deps)
  const passkeys = createPasskeys(deps)
  // A token for each code that this browser asked for. A code can be redeemed only with its token.
  const codeTokens = createCookie(deps.siteUrl, 'sign-in', CODE_MINUTES * 60_000)

  const tokensIn = (request: Request): string[] =>
    (codeTokens.read(request) ?? '')
      .split('.')
      .filter((token) => /^[\w-]{43}$/.test(token))
      .slice(0, MAX_TOKENS)

  const limitRequests = floodLimit({
    limit: MAX_REQUESTS,
    windowSeconds: 60 * 60,
    // An owner's known browsers are counted apart, so that a neighbor on the same network can't
    // block them, but they are counted, because a known browser's cookie may be stolen.
    clientOf(request) {
      const owner = env.MAIL_TO.find((one) => sessions.isKnown(request, one))
      return owner === undefined ? clientOf(request) : `known browser of ${owner}`
    },
  })

  async function readAccess(): Promise<Access> {
    const inUse = new Set(streams.values())
    const found = await sessions.list()
    return {
      sessions: found.map(({ id, owner, browser, seen_at }) => ({
        id,
        owner,
        browser,
        seenAt: seen_at,
        isInUse: inUse.has(id),
      })),
      passkeys: await db
        .selectFrom('passkeys')
        .select(['id', 'owner', 'name', 'created_at as createdAt', 'used_at as usedAt'])
        .orderBy('created_at')
        .execute(),
    }
  }

  return {
    limitRequests,
    async sendCode(request: Request, response: Response) {
      const hint = 'Type your email address, like name@example.com.'
      const { email } = readInput(codeWanted, request.body, hint)
      const token = await codes.ask({
        email,
        browser: browserInWords(request.headers['user-agent']),
        client: clientOf(request),
        isKnown: (owner) => sessions.isKnown(request, owner),
      })
      // Keeps the tokens of this browser's earlier codes: the first email may arrive last.
      const tokens = [token, ...tokensIn(request)].slice(0, MAX_TOKENS)
      codeTokens.write(response, tokens.join('.'))
      response.status(202).json({})
    },
    async redeemCode(request: Request, response: Response) {
      const tokens = tokensIn(request)
      // For example a browser inside a mail app, or a scanner that opens links.
      if (tokens.length === 0) throw new Problem('invalid_input', CODE_ELSEWHERE)
      const { code } = readInput(codeInput, request.body)
      await sessions.start(request, response, 'code', await codes.redeem(tokens, readCode(code)))
    },
    async redeemLink(request: Request, response: Response) {
      const { token } = readInput(linkInput, request.body)
      await sessions.start(request, response, 'link', await codes.redeemLink(token))
    },
    passkeyOptions: send(() => passkeys.optionsToSignIn()),
    async usePasskey(request: Request, response: Response) {
      const assertion: unknown = readInput(usePasskey, request.body)
      const owner = await passkeys.redeem(assertion as AuthenticationResponseJSON)
      await sessions.start(request, response, 'passkey', owner)
    },
    requireSession: sessions.requireSession,
    requireFresh: sessions.requireFresh,
    /**
     * The session, the devices that are signed in, and the passkeys. Owners are partners: each can
     * sign out any device and remove any passkey, for example after another owner has lost a phone.
     */
    access: {
      session: send((_request, response) => sessions.describe(sessionOf(response))),
      signOut: sessions.signOut,
      list: send(readAccess),
      async endSession({ params }: Request, response: Response) {
        if (!(await sessions.end(String(params.id))))
          throw new Problem('not_found', 'This device is already signed out.')
        response.status(204).end()
      },
      passkeyOptions: send((_request, response) => passkeys.optionsToAdd(sessionOf(response).owner)),
      async addPasskey({ body }: Request, response: Response) {
        const { name: typed = '', ...registration } = readInput(passkeyInput, body)
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
    },
    findSession: sessions.find,
    async start() {
      await renameOwners(deps)
      await sessions.endFormerOwners()
    },
  }
}
