import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { Database } from '../../../database/schema.ts'
import { Problem } from '../../../problem.ts'
import type { InboxDeps } from '../../inbox-deps.ts'
import { hashToken } from '../secrets.ts'

/** How long somebody may take to confirm a passkey on their device. */
export const CHALLENGE_MS = 5 * 60 * 1000
const CLOCKS_AGREE_MS = 2_000

/**
 * Creates and checks challenges: random text that a passkey signs, so that nobody can reuse an old signature. The server
 * signs new challenges instead of storing them, so that strangers can't fill the database. It stores only used challenges,
 * so that none can be used twice.
 */
export function createChallenges({ keyedHash, now }: Pick<InboxDeps, 'keyedHash' | 'now'>) {
  const sign = (purpose: string, text: string) => keyedHash(`passkey challenge ${purpose} ${text}`)

  return {
    issue(purpose: string): Uint8Array<ArrayBuffer> {
      const text = `${now().getTime()}.${randomBytes(16).toString('base64url')}`
      return new TextEncoder().encode(`${text}.${sign(purpose, text)}`)
    },

    /**
     * Whether the server signed this challenge for this purpose. Browsers return challenges in base64url. Throws a Problem
     * if the challenge is too old.
     */
    isOurs(purpose: string, challenge: string): boolean {
      const [time = '', random = '', signature] = decode(challenge).split('.')
      if (signature !== sign(purpose, `${time}.${random}`)) return false
      const age = now().getTime() - Number(time)
      if (age > CHALLENGE_MS || age < -CLOCKS_AGREE_MS)
        throw new Problem('invalid_input', 'That took more than 5 minutes. Please try again.')
      return true
    },

    /** Uses up a challenge within the caller's transaction; false if it was already used. */
    async use(transaction: Database, challenge: string): Promise<boolean> {
      const at = now()
      await transaction.deleteFrom('passkey_challenges').where('ends_at', '<', at.toISOString()).execute()
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto('passkey_challenges')
        .values({
          id: hashToken(decode(challenge)),
          // This row must outlive the challenge, even if the clocks of replicas differ.
          ends_at: new Date(at.getTime() + 2 * CHALLENGE_MS).toISOString(),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return numInsertedOrUpdatedRows === 1n
    },
  }
}

const decode = (challenge: string) => Buffer.from(challenge, 'base64url').toString()

/** The host name that passkeys belong to; undefined if browsers don't allow passkeys at this address. */
export function passkeyHost(siteUrl: string): string | undefined {
  const { protocol, hostname } = new URL(siteUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/** Like `passkeyHost`, but if browsers don't allow passkeys at this address, throws a Problem that says why. */
export function requireHost(siteUrl: string): string {
  const host = passkeyHost(siteUrl)
  if (host !== undefined) return host
  throw new Problem(
    'invalid_input',
    `Passkeys need an https address with a domain name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
  )
}
