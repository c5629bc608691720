import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { brand } from '#facts/brand.ts'
import { PASSKEY_MINUTES } from '#shared/inbox/api.ts'
import type { Schema } from '../../database/schema.ts'
import { errorFacts } from '../../errors/error-facts.ts'
import { Problem } from '../../errors/problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { createToken, hashToken } from './codes.ts'
import { queueSignInEmail } from './sign-in-email.ts'

// The library takes 0.3 s and 25 MB to load, so it is loaded when somebody first uses a passkey.
const library = () => import('@simplewebauthn/server')

const CHALLENGE_MS = PASSKEY_MINUTES * 60 * 1000
// The signature algorithms EdDSA, ES256 and RS256, as COSE numbers. By default, the library would
// also offer algorithms that are still experimental in Node.js.
const ALGORITHMS = [-8, -7, -257]
const SIGN_IN = 'sign-in'

type Passkey = Selectable<Schema['passkeys']>
/** `response` is what the browser returned, and `name` is the owner's name for the passkey. */
type Registration = { owner: string; browser: string; name: string; response: RegistrationResponseJSON }

/**
 * The host name that passkeys belong to; undefined if browsers don't allow passkeys at this
 * address.
 */
export function passkeyHost(siteUrl: string): string | undefined {
  const { protocol, hostname } = new URL(siteUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/** Lets owners add and remove passkeys, and sign in with them instead of a code from an email. */
export function createPasskeys(deps: InboxDeps) {
  const { db, write, now, siteUrl, env, keyedHash, log } = deps
  const adding = (owner: string) => `adding ${owner.toLowerCase()}`
  // The user id is the same for all of an owner's passkeys, so that a device keeps only one passkey
  // per owner. It reveals nothing about the owner.
  const userIdOf = (owner: string) => Buffer.from(keyedHash(`passkey user ${owner.toLowerCase()}`))

  function requireHost(): string {
    const host = passkeyHost(siteUrl)
    if (host !== undefined) return host
    throw new Problem(
      'invalid_input',
      `Passkeys need an https address with a domain name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
    )
  }

  const challengeId = (purpose: string, challenge: string) => hashToken(`${purpose} ${challenge}`)

  /**
   * Issues a challenge: random text that a passkey signs, so that nobody can reuse an old
   * signature. It works only once, for a few minutes, and for one purpose. Strangers can ask for
   * few: see the limits in sign-in-routes.ts.
   */
  async function issue(purpose: string): Promise<Uint8Array<ArrayBuffer>> {
    const challenge = createToken()
    const ends_at = new Date(now().getTime() + CHALLENGE_MS).toISOString()
    await db.deleteFrom('passkey_challenges').where('ends_at', '<', now().toISOString()).execute()
    const row = { id: challengeId(purpose, challenge), ends_at }
    await db.insertInto('passkey_challenges').values(row).execute()
    return Uint8Array.from(Buffer.from(challenge, 'base64url'))
  }

  /**
   * Uses up a challenge; false if it was already used, is too old, or was issued for another
   * purpose.
   */
  async function use(purpose: string, challenge: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('passkey_challenges')
      .where('id', '=', challengeId(purpose, challenge))
      .where('ends_at', '>=', now().toISOString())
      .executeTakeFirstOrThrow()
    return numDeletedRows === 1n
  }

  /** What the library must expect. Its check of the challenge uses it up. */
  const expected = (purpose: string) => ({
    expectedChallenge: (challenge: string) => use(purpose, challenge),
    expectedOrigin: siteUrl,
    expectedRPID: requireHost(),
  })

  /**
   * Turns a failed verification by the library into a Problem. Logs the reason up to quoted text,
   * which comes from the browser.
   */
  async function verify<Result extends { verified: boolean }>(verifying: Promise<Result>) {
    try {
      const result = await verifying
      if (!result.verified) throw new Error('The signature is wrong.')
      return result as Result & { verified: true }
    } catch (error) {
      if (error instanceof Problem) throw error
      log.warn({ reason: errorFacts(error).message?.split('"')[0]?.trim() ?? '' }, 'passkey not accepted')
      throw new Problem('invalid_input', 'The passkey was not accepted. Please try again.')
    }
  }

  return {
    /** What the browser needs to create a passkey for an owner who is signed in. */
    async optionsToAdd(owner: string) {
      const rpID = requireHost()
      const existing = db.selectFrom('passkeys').select('id').where('owner', '=', owner)
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: brand.name,
        rpID,
        userName: owner,
        userDisplayName: owner,
        userID: Uint8Array.from(userIdOf(owner)),
        challenge: await issue(adding(owner)),
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: await existing.execute(),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    /** Verifies and stores a passkey, and tells the owner by email. */
    async add({ owner, browser, name, response }: Registration): Promise<void> {
      const { verifyRegistrationResponse } = await library()
      const given = { response, ...expected(adding(owner)), supportedAlgorithmIDs: ALGORITHMS }
      const withoutCertificates = refuseCertificates(response)
      const { registrationInfo } = await verify(
        withoutCertificates.then(() => verifyRegistrationResponse(given)),
      )
      const { id, counter, publicKey } = registrationInfo.credential
      const passkey: Passkey = {
        id,
        counter,
        public_key: Buffer.from(publicKey).toString('base64url'),
        owner,
        user_id: userIdOf(owner).toString('base64url'),
        name,
        host: requireHost(),
        created_at: now().toISOString(),
        used_at: null,
      }
      await write(async (transaction) => {
        await transaction.insertInto('passkeys').values(passkey).execute()
        const news = { what: 'passkey_added' as const, name, by: owner, browser }
        await queueSignInEmail(transaction, owner, news, deps)
      })
    },

    /** Removes a passkey, and tells its owner by email if the address is still in MAIL_TO. */
    async remove(id: string, { by, browser }: { by: string; browser: string }): Promise<void> {
      await write(async (transaction) => {
        const passkey = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .returning(['owner', 'name'])
          .executeTakeFirst()
        if (!passkey) throw new Problem('not_found', 'There is no such passkey.')
        const { owner, name } = passkey
        const news = { what: 'passkey_removed' as const, name, by, browser }
        if (env.MAIL_TO.includes(owner)) await queueSignInEmail(transaction, owner, news, deps)
      })
    },

    /** What the browser needs to ask for a passkey. */
    async optionsToSignIn() {
      const rpID = requireHost()
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        challenge: await issue(SIGN_IN),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        // An empty list makes the browser offer all the passkeys that it has for this site.
        allowCredentials: [],
      })
    },

    /** Verifies what the browser returned, and returns the owner. */
    async redeem(response: AuthenticationResponseJSON): Promise<string> {
      const found = db.selectFrom('passkeys').selectAll().where('id', '=', response.id)
      const passkey = await found.executeTakeFirst()
      const userId = response.response.userHandle
      if (!passkey || !env.MAIL_TO.includes(passkey.owner)) throw unknown()
      if (userId && userId !== passkey.user_id) throw unknown()
      const { verifyAuthenticationResponse } = await library()
      const publicKey = Uint8Array.from(Buffer.from(passkey.public_key, 'base64url'))
      // With the stored counter, the library would reject a counter that doesn't increase: see
      // below.
      const credential = { id: passkey.id, publicKey, counter: 0 }
      const given = { response, ...expected(SIGN_IN), credential }
      const { authenticationInfo } = await verify(verifyAuthenticationResponse(given))
      const counter = authenticationInfo.newCounter
      // Only a warning: a counter that didn't increase can mean that the passkey was copied, but
      // also that it was restored from a backup. Counters of synced passkeys stay zero.
      if (counter <= passkey.counter && counter + passkey.counter > 0)
        log.warn({ counter, last: passkey.counter }, 'the counter of a passkey did not increase')
      const used = { counter, used_at: now().toISOString() }
      const kept = db.updateTable('passkeys').set(used).where('id', '=', passkey.id)
      // It may have been removed meanwhile.
      if ((await kept.executeTakeFirst()).numUpdatedRows === 0n) throw unknown()
      return passkey.owner
    },
  }
}

const unknown = () =>
  new Problem('invalid_input', 'This passkey is not known here, or was removed. Please sign in with a code.')

/**
 * Throws if the response contains an attestation certificate. We don't ask for one, so browsers
 * send none. If an attacker sent one, the library would fetch a revocation list from whatever
 * address the certificate names.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))
  if (decodeAttestationObject(attestation).get('attStmt').get('x5c') !== undefined)
    throw new Error('The response contains an attestation certificate.')
}
