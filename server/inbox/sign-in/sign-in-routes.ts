import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Request, RequestHandler, Response } from 'express'
import * as z from 'zod'
import {
  askForCode,
  CODE_ELSEWHERE,
  redeemCode as codeInput,
  redeemLink as linkInput,
  usePasskey,
} from '#shared/inbox/api.ts'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import { floodLimit } from '../../http/flood-limit.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { readInput, send } from '../requests.ts'
import { accessRoutes } from './access-routes.ts'
import { browserInWords, createCookies, createKnownBrowsers } from './browsers.ts'
import { createCodes, MAX_OPEN, parseCode, redeemLink } from './codes.ts'
import { createPasskeys } from './passkeys.ts'
import { createSessions, describeSession, requireFresh, requireSession } from './sessions.ts'
import { queueSignInEmail } from './sign-in-email.ts'

// How many codes a network can ask for in an hour, and how many requests it can send to all other addresses of signing in.
// Beyond a limit, requests are refused before their body is read.
const MAX_ASKED = 20
const MAX_REQUESTS = 200

export type SignIn = ReturnType<typeof createSignIn>

/** Sign-in with codes, links and passkeys, and the resulting sessions. */
export function createSignIn(inboxDeps: InboxDeps) {
  const deps = prepare(inboxDeps)
  const { sessions, cookies, streams, log } = deps
  return {
    ...openRoutes(deps),
    requireSession: requireSession(sessions, cookies),
    requireFresh: requireFresh(deps),
    access: accessRoutes(deps),
    streams,
    /** Whether the session is still valid. Reads the database, because another replica may have ended the session. */
    isAlive: sessions.isAlive,
    /** Ends the sessions of owners who are no longer in MAIL_TO. */
    start: () =>
      sessions
        .endFormerOwners()
        .catch((error: unknown) => log.error({ err: error }, 'sessions of former owners not ended')),
  }
}

type Deps = ReturnType<typeof prepare>

function prepare(deps: InboxDeps) {
  const cookies = createCookies(deps.siteUrl)
  return {
    ...deps,
    cookies,
    sessions: createSessions(deps),
    codes: createCodes(deps),
    passkeys: createPasskeys(deps),
    knownBrowsers: createKnownBrowsers({ ...deps, cookies }),
    /** The open streams of changes, each with its session. Only a visible page has one, so its device is in use. */
    streams: new Map<Response, string>(),
  }
}

/** Handles what works without a session: an owner can ask for a code, and sign in. */
function openRoutes(deps: Deps) {
  const { codes, passkeys, cookies } = deps
  return {
    limitCodes: limitRequests(deps, MAX_ASKED),
    async sendCode(request: Request, response: Response) {
      const hint = 'Type your email address, like name@example.com.'
      const email = readInput(askForCode, request.body, hint).email.trim()
      if (!z.regexes.html5Email.test(email)) throw new Problem('invalid_input', hint)
      const token = await codes.ask({
        email,
        browser: browserInWords(request.headers['user-agent']),
        client: deps.clientOf(request),
        isKnown: (owner) => deps.knownBrowsers.isKnown(request, owner),
      })
      // Keeps the tokens of this browser's earlier codes: the first email may arrive last.
      const tokens = [token, ...tokensIn(deps, request)].slice(0, MAX_OPEN)
      cookies.codeTokens.write(response, tokens.join('.'))
      response.status(202).json({})
    },
    limitTries: limitRequests(deps, MAX_REQUESTS),
    async redeemCode(request: Request, response: Response) {
      const tokens = tokensIn(deps, request)
      // For example a browser inside a mail app, or a scanner that opens links.
      if (tokens.length === 0) throw new Problem('invalid_input', CODE_ELSEWHERE)
      const code = parseCode(readInput(codeInput, request.body, 'Type the code from the email.').code)
      const redeem: Redeem = (transaction) => codes.redeem(transaction, tokens, code)
      await enter(deps, request, response, { how: 'code', redeem })
    },
    async redeemLink(request: Request, response: Response) {
      const { token } = readInput(
        linkInput,
        request.body,
        'This link is not valid. Part of it may be missing.',
      )
      const redeem: Redeem = (transaction) => redeemLink(transaction, token, deps)
      await enter(deps, request, response, { how: 'link', redeem })
    },
    passkeyOptions: send(() => passkeys.optionsToSignIn()),
    async usePasskey(request: Request, response: Response) {
      const advice = 'The passkey could not be read. Please try again.'
      const assertion = readInput(usePasskey, request.body, advice)
      const redeem = await passkeys.verify(assertion as unknown as AuthenticationResponseJSON)
      await enter(deps, request, response, { how: 'passkey', redeem })
    },
  }
}

const tokensIn = ({ cookies }: Deps, request: Request): string[] =>
  (cookies.codeTokens.read(request) ?? '')
    .split('.')
    .filter((token) => /^[\w-]{43}$/.test(token))
    .slice(0, MAX_OPEN)

/**
 * Uses up a code, a link or a passkey's challenge. Returns the owner, or a Problem. It doesn't throw the Problem, because
 * that would roll back the count of wrong tries.
 */
type Redeem = (transaction: Database) => Promise<string | Problem>
type Entry = { how: string; redeem: Redeem }

/** Signs a browser in: starts a session, queues an email to the owner if the browser is new, and sets the cookies. */
async function enter(deps: Deps, request: Request, response: Response, { how, redeem }: Entry) {
  const { write, now, mailFrom, sessions, cookies, knownBrowsers } = deps
  const browser = browserInWords(request.headers['user-agent'])
  const replaces = cookies.session.read(request)
  const entered = await write(async (transaction) => {
    const owner = await redeem(transaction)
    if (owner instanceof Problem) return owner
    const isNew = !knownBrowsers.isKnown(request, owner)
    const news = { what: 'new_browser' as const, browser }
    if (isNew) await queueSignInEmail(transaction, { owner, news, mailFrom }, now())
    return { ...(await sessions.start(transaction, owner, { browser, replaces })), isNew }
  })
  if (entered instanceof Problem) throw entered
  const { session, token, isNew } = entered
  if (isNew) deps.onQueued()
  deps.log.info({ how, isNew }, 'signed in')
  cookies.session.write(response, token)
  knownBrowsers.remember(request, response, session.owner)
  response.json(describeSession(session, deps.siteUrl))
}

/**
 * Limits the requests of each network. An owner's known browsers are counted apart, so that a neighbor on the same network
 * can't block them, but they are counted, because a known browser's cookie may be stolen.
 */
function limitRequests({ mailTo, knownBrowsers, clientOf }: Deps, limit: number): RequestHandler {
  return floodLimit({
    limit,
    windowSeconds: 60 * 60,
    clientOf(request) {
      const owner = mailTo.find((one) => knownBrowsers.isKnown(request, one))
      return owner === undefined ? clientOf(request) : `known browser of ${owner}`
    },
    createError(retryAfterSeconds) {
      const minutes = count(Math.ceil(retryAfterSeconds / 60), 'minute')
      const sentence = `Too many attempts to sign in from your connection. Please try again in ${minutes}.`
      return new Problem('rate_limited', sentence, { headers: { 'Retry-After': String(retryAfterSeconds) } })
    },
  })
}
