import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import * as z from 'zod'
import { askForCode, redeemCode, redeemLink, usePasskey } from '#shared/inbox/api.ts'
import { floodLimit, skipFloodLimit } from '../../http/flood-limit.ts'
import { Problem } from '../../problem.ts'
import { sessionOf } from '../http/session-of.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { createAskForCode, tooManyCodes } from './ask-for-code.ts'
import { browserInWords } from './browser-in-words.ts'
import type { Cookies } from './cookies.ts'
import { describeSession } from './describe-session.ts'
import { createEnter } from './enter.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import { parseInput } from './parse-input.ts'
import { createUsePasskey } from './passkeys/use-passkey.ts'
import { createRedeemCode, elsewhere, parseCode } from './redeem-code.ts'
import type { Sessions } from './sessions.ts'
import { MAX_BY_CLIENT, MAX_OPEN } from './sign-in-limits.ts'
import { createRedeemLink } from './sign-in-link.ts'

// Longer than the work takes: otherwise the time of the response could tell who is an owner. The random part hides the
// millisecond that a process is slower after it has slept.
const ANSWER_AFTER_MS = 250
const RANDOM_MS = 50
// Rejected requests an hour, relative to accepted ones. Beyond that, they cost no query.
const FLOOD_FACTOR = 10

export type Doors = InboxDeps & { sessions: Sessions; cookies: Cookies; knownBrowsers: KnownBrowsers }

/** Everything that works without a session: asking for a code, and signing in. */
export function openRoutes(doors: Doors): Router {
  const passkeys = createUsePasskey(doors)
  const enter = createEnter(doors)
  const redeemTheCode = createRedeemCode(doors)
  const redeemTheLink = createRedeemLink(doors)
  const { cookies, siteUrl } = doors
  const sendSession = (response: Response) => response.json(describeSession(sessionOf(response), siteUrl))

  return Router()
    .post('/sign-in', limitFloods(doors), sendCode(doors))
    .post('/sign-in/code', async (request, response) => {
      const tokens = tokensIn(cookies, request)
      if (tokens.length === 0) throw elsewhere()
      const code = parseCode(parseInput(redeemCode, request.body, 'Type the code from the email.').code)
      if (code instanceof Problem) throw code
      await enter(request, response, 'code', (transaction) => redeemTheCode(transaction, tokens, code))
      sendSession(response)
    })
    .post('/sign-in/link', async (request, response) => {
      const { token } = parseInput(
        redeemLink,
        request.body,
        'This link is not valid. Maybe a part of it is missing.',
      )
      await enter(request, response, 'link', (transaction) => redeemTheLink(transaction, token))
      sendSession(response)
    })
    .post('/sign-in/passkey/options', (_request, response) => {
      response.json(passkeys.options())
    })
    .post('/sign-in/passkey', async (request, response) => {
      const assertion = parseInput(
        usePasskey,
        request.body,
        'The passkey could not be read. Please try again.',
      )
      const redeem = await passkeys.verify(assertion as unknown as AuthenticationResponseJSON)
      await enter(request, response, 'passkey', redeem)
      sendSession(response)
    })
}

function sendCode(doors: Doors): RequestHandler {
  const ask = createAskForCode(doors)
  const { cookies, knownBrowsers, clientOf } = doors
  const hint = 'Type your email address, like name@example.com.'
  return async (request, response) => {
    const startedAt = performance.now()
    const email = parseInput(askForCode, request.body, hint).email.trim()
    if (!z.regexes.html5Email.test(email)) throw new Problem('invalid_input', hint)
    const token = await ask({
      email,
      browser: browserInWords(request.headers['user-agent']),
      client: clientOf(request),
      isKnown: (owner) => knownBrowsers.isKnown(request, owner),
    })
    skipFloodLimit(response)
    // The codes that this browser asked for before still work: the first may arrive last.
    cookies.request.write(response, [token, ...tokensIn(cookies, request)].slice(0, MAX_OPEN).join('.'))
    await waitUntil(startedAt + ANSWER_AFTER_MS + Math.random() * RANDOM_MS)
    response.status(202).json({})
  }
}

/** Not before this time: a timer that was set in a long turn of the event loop fires too early. */
async function waitUntil(time: number): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now())
    await sleep(Math.ceil(left))
}

const tokensIn = (cookies: Cookies, request: Request): string[] =>
  (cookies.request.read(request) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, MAX_OPEN)

/** A neighbor on the same network can't keep an owner's own browsers from asking. */
function limitFloods({ clientOf, knownBrowsers, mailTo }: Doors): RequestHandler {
  const limit = floodLimit({
    limit: MAX_BY_CLIENT * FLOOD_FACTOR,
    windowSeconds: 60 * 60,
    clientOf,
    createError: tooManyCodes,
  })
  return (request, response, next) =>
    mailTo.some((owner) => knownBrowsers.isKnown(request, owner)) ? next() : limit(request, response, next)
}
