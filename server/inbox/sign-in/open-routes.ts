import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Request, RequestHandler, Response } from 'express'
import * as z from 'zod'
import { askForCode, redeemCode, redeemLink, usePasskey } from '#shared/inbox/api.ts'
import { floodLimit, skipFloodLimit } from '../../http/flood-limit.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, send, sessionOf } from '../requests.ts'
import { createAskForCode, tooManyTries } from './ask-for-code.ts'
import { browserInWords } from './browser-in-words.ts'
import type { Cookies, KnownBrowsers } from './cookies.ts'
import { createEnter } from './enter.ts'
import { createUsePasskey } from './passkeys/use-passkey.ts'
import { createRedeemCode, elsewhere, parseCode } from './redeem-code.ts'
import type { Sessions } from './sessions.ts'
import { describeSession } from './sessions.ts'
import { MAX_BY_CLIENT, MAX_OPEN } from './sign-in-limits.ts'
import { createRedeemLink } from './sign-in-link.ts'

// The hourly limit on rejected requests, as a multiple of MAX_BY_CLIENT. Beyond it, requests are refused without a query.
const FLOOD_FACTOR = 10

export type SignInDeps = InboxDeps & { sessions: Sessions; cookies: Cookies; knownBrowsers: KnownBrowsers }

/** Handles what works without a session: an owner requests a code, and signs in. */
export function openRoutes(signInDeps: SignInDeps) {
  const passkeys = createUsePasskey(signInDeps)
  const enter = createEnter(signInDeps)
  const redeemTheCode = createRedeemCode(signInDeps)
  const redeemTheLink = createRedeemLink(signInDeps)
  const { cookies, siteUrl } = signInDeps
  const sendSession = (response: Response) => response.json(describeSession(sessionOf(response), siteUrl))

  return {
    limitFloods: limitFloods(signInDeps),
    sendCode: sendCode(signInDeps),
    async redeemCode(request: Request, response: Response) {
      const tokens = tokensIn(cookies, request)
      if (tokens.length === 0) throw elsewhere()
      const code = parseCode(readInput(redeemCode, request.body, 'Type the code from the email.').code)
      if (code instanceof Problem) throw code
      await enter(request, response, 'code', (transaction) => redeemTheCode(transaction, tokens, code))
      sendSession(response)
    },
    async redeemLink(request: Request, response: Response) {
      const { token } = readInput(
        redeemLink,
        request.body,
        'This link is not valid. Part of it may be missing.',
      )
      await enter(request, response, 'link', (transaction) => redeemTheLink(transaction, token))
      sendSession(response)
    },
    passkeyOptions: send(() => passkeys.options()),
    async usePasskey(request: Request, response: Response) {
      const assertion = readInput(
        usePasskey,
        request.body,
        'The passkey could not be read. Please try again.',
      )
      const redeem = await passkeys.verify(assertion as unknown as AuthenticationResponseJSON)
      await enter(request, response, 'passkey', redeem)
      sendSession(response)
    },
  }
}

function sendCode(signInDeps: SignInDeps): RequestHandler {
  const ask = createAskForCode(signInDeps)
  const { cookies, knownBrowsers, clientOf } = signInDeps
  const hint = 'Type your email address, like name@example.com.'
  return async (request, response) => {
    const email = readInput(askForCode, request.body, hint).email.trim()
    if (!z.regexes.html5Email.test(email)) throw new Problem('invalid_input', hint)
    const token = await ask({
      email,
      browser: browserInWords(request.headers['user-agent']),
      client: clientOf(request),
      isKnown: (owner) => knownBrowsers.isKnown(request, owner),
    })
    if (knownOwner(signInDeps, request) === undefined) skipFloodLimit(response)
    // Keeps the tokens of this browser's earlier codes: the first email may arrive last.
    cookies.codeTokens.write(response, [token, ...tokensIn(cookies, request)].slice(0, MAX_OPEN).join('.'))
    response.status(202).json({})
  }
}

const tokensIn = (cookies: Cookies, request: Request): string[] =>
  (cookies.codeTokens.read(request) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, MAX_OPEN)

/**
 * Limits the rejected requests of each network to all addresses of signing in. An owner's known browsers have a separate
 * limit, so that a neighbor on the same network can't block them. It also counts their accepted requests, because a known
 * browser's cookie may be stolen.
 */
function limitFloods(signInDeps: SignInDeps): RequestHandler {
  return floodLimit({
    limit: MAX_BY_CLIENT * FLOOD_FACTOR,
    windowSeconds: 60 * 60,
    clientOf: (request) => {
      const owner = knownOwner(signInDeps, request)
      return owner === undefined ? signInDeps.clientOf(request) : `known browser of ${owner}`
    },
    createError: tooManyTries,
  })
}

const knownOwner = ({ mailTo, knownBrowsers }: SignInDeps, request: Request) =>
  mailTo.find((owner) => knownBrowsers.isKnown(request, owner))
