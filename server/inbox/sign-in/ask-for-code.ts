import { CODE_MINUTES } from '#shared/inbox/api.ts'
import { count } from '../../count.ts'
import { lockNames } from '../../database/differences.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { forgetUnsent, queueSignInEmail } from './queue-sign-in-email.ts'
import { createCode, createToken, hashCode, hashToken } from './secrets.ts'
import { checkLimits, forgetRequests, HOUR_MS } from './sign-in-limits.ts'

type Deps = Pick<InboxDeps, 'write' | 'now' | 'mailTo' | 'mailFrom' | 'keyedHash' | 'onQueued'>

/** Who is asking. `client` is a keyed hash of the network address. */
type CodeRequest = {
  email: string
  browser: string
  client: string
  /** Whether this owner has signed in with this browser before. */
  isKnown: (owner: string) => boolean
}

/**
 * Sends a code to an owner, and returns the token that binds it to the browser. For anybody else, and beyond the limit on
 * emails, stores the request but sends nothing: the response doesn't reveal who is an owner. Throws `rate_limited` if an
 * unknown browser's network has asked too often.
 */
export function createAskForCode({ write, now, mailTo, mailFrom, keyedHash, onQueued }: Deps) {
  return async function askForCode({ email, browser, client, isKnown }: CodeRequest): Promise<string> {
    const address = email.toLowerCase()
    const owner = mailTo.find((one) => one.toLowerCase() === address)
    const known = owner !== undefined && isKnown(owner)
    const token = createToken()
    const code = createCode()
    await write(async (transaction) => {
      await lockNames(transaction, [`sign-in by ${client}`, `sign-in of ${keyedHash(address)}`])
      const at = now()
      await forgetRequests(transaction, at)
      await forgetUnsent(transaction, at)
      const limits = await checkLimits(transaction, { client, owner, isKnown: known }, at)
      if (limits.tooManySince !== undefined) throw tooMany(limits.tooManySince, at)

      const sendTo = limits.mayEmail ? owner : undefined
      const endsAt = new Date(at.getTime() + CODE_MINUTES * 60_000)
      const request = {
        id: hashToken(token),
        kind: 'code' as const,
        owner: sendTo ?? null,
        code: hashCode(keyedHash, token, code),
        browser,
        client,
        is_known: known ? (1 as const) : (0 as const),
        created_at: at.toISOString(),
        ends_at: endsAt.toISOString(),
        used_at: null,
      }
      await transaction.insertInto('sign_ins').values(request).execute()
      const news = { what: 'code' as const, code, browser }
      if (sendTo) await queueSignInEmail(transaction, { owner: sendTo, news, mailFrom, endsAt }, at)
    })
    onQueued()
    return token
  }
}

function tooMany(since: string, now: Date): Problem {
  const age = Math.max(0, now.getTime() - Date.parse(since))
  return tooManyTries(Math.max(1, Math.ceil((HOUR_MS - age) / 1000)))
}

/** The error for a network that has asked for codes, or tried to sign in, too often. */
export function tooManyTries(retryAfterSeconds: number): Problem {
  const minutes = count(Math.ceil(retryAfterSeconds / 60), 'minute')
  return new Problem(
    'rate_limited',
    `Too many attempts to sign in from your connection. Please try again in ${minutes}.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}
