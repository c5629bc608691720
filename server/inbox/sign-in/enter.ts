import type { Request, Response } from 'express'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { setSession } from '../requests.ts'
import { browserInWords } from './browser-in-words.ts'
import type { Cookies, KnownBrowsers } from './cookies.ts'
import { queueSignInEmail } from './queue-sign-in-email.ts'
import type { Sessions } from './sessions.ts'

type Deps = Pick<InboxDeps, 'write' | 'now' | 'mailFrom' | 'log' | 'onQueued'> & {
  sessions: Sessions
  cookies: Cookies
  knownBrowsers: KnownBrowsers
}

/**
 * Uses up a code, a link or a passkey challenge. Returns the owner, or a Problem. It doesn't throw the Problem, because that
 * would roll back the count of wrong tries.
 */
type Redeem = (transaction: Database) => Promise<string | Problem>

/** Signs a browser in: starts a session, queues an email to the owner if the browser is new, and sets the cookies. */
export function createEnter({ write, now, mailFrom, log, onQueued, sessions, cookies, knownBrowsers }: Deps) {
  return async function enter(request: Request, response: Response, how: string, redeem: Redeem) {
    const browser = browserInWords(request.headers['user-agent'])
    const replaces = cookies.session.read(request)
    const entered = await write(async (transaction) => {
      const owner = await redeem(transaction)
      if (owner instanceof Problem) return owner
      const isNew = !knownBrowsers.isKnown(request, owner)
      const started = await sessions.start(transaction, { owner, browser, replaces })
      const news = { what: 'new_browser' as const, browser }
      if (isNew) await queueSignInEmail(transaction, { owner, news, mailFrom }, now())
      return { ...started, isNew }
    })
    if (entered instanceof Problem) throw entered
    const { session, token, ended, isNew } = entered
    sessions.announce(ended)
    if (isNew) onQueued()
    log.info({ how, isNew }, 'signed in')
    cookies.session.write(response, token)
    knownBrowsers.remember(request, response, session.owner)
    setSession(response, session)
  }
}
