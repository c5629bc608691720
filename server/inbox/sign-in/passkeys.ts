import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import { brand } from '#facts/brand.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { errorFacts } from '../../error-facts.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { hashToken } from './codes.ts'
import { queueSignInEmail } from './sign-in-email.ts'

// The library takes 0.3 s and 25 MB to load, so it is loaded when somebody first uses a passkey.
const library = () => import('@simplewebauthn/server')

// How long somebody may take to confirm a passkey on their device.
const CHALLENGE_MS = 5 * 60 * 1000
const CLOCKS_AGREE_MS = 2_000
// The signature algorithms EdDSA, ES256 and RS256, as COSE numbers. By default, the library would also offer algorithms that
// are still experimental in Node.js.
const ALGORITHMS = [-8, -7, -257]
// Transports are ways to reach a passkey, such as "usb" or "nfc". Browsers know fewer than this.
const MAX_TRANSPORTS = 10
const SIGN_IN = 'sign-in'

type Passkey = Selectable<Schema['passkeys']>
/** `response` is what the browser returned, and `name` is the owner's name for the passkey. */
type Registration = { owner: string; browser: string; name: string; response: RegistrationResponseJSON }

/** The host name that passkeys belong to; undefined if browsers don't allow passkeys at this address. */
export function passkeyHost(siteUrl: string): string | undefined {
  const { protocol, hostname } = new URL(siteUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

export type Passkeys = ReturnType<typeof createPasskeys>

/** Lets owners add and remove passkeys, and sign in with them instead of a code from an email. */
export function createPasskeys({ siteUrl, mailTo, mailFrom, ...deps }: InboxDeps) {
  const { db, write, now, keyedHash, log, onQueued } = deps
  const challenges = createChallenges(deps)
  const adding = (owner: string) => `adding ${owner.toLowerCase()}`
  // The user id is the same for all of an owner's passkeys, so that a device keeps only one passkey per owner. It reveals
  // nothing about the owner.
  const userIdOf = (owner: string) => Buffer.from(keyedHash(`passkey user ${owner.toLowerCase()}`))

  function requireHost(): string {
    const host = passkeyHost(siteUrl)
    if (host !== undefined) return host
    throw new Problem(
      'invalid_input',
      `Passkeys need an https address with a domain name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
    )
  }

  /** What the library must expect. `used.challenge` is the challenge in the response, once it has been checked. */
  function expectation(purpose: string) {
    const used = { challenge: '' }
    const expectedChallenge = (given: string) => {
      used.challenge = given
      return challenges.isOurs(purpose, given)
    }
    return { used, expected: { expectedChallenge, expectedOrigin: siteUrl, expectedRPID: requireHost() } }
  }

  /** Turns the library's errors into a Problem. Logs the reason up to quoted text, which comes from the browser. */
  async function explain<Result>(work: Promise<Result>, what: string, advice: string): Promise<Result> {
    try {
      return await work
    } catch (error) {
      if (error instanceof Problem) throw error
      log.warn({ reason: errorFacts(error).message?.split('"')[0]?.trim() ?? '' }, `passkey not ${what}`)
      throw new Problem('invalid_input', `The passkey ${advice}`)
    }
  }

  async function verifyNew(owner: string, response: RegistrationResponseJSON) {
    const { verifyRegistrationResponse } = await library()
    await refuseCertificates(response)
    const { used, expected } = expectation(adding(owner))
    const given = { response, ...expected, supportedAlgorithmIDs: ALGORITHMS }
    const { verified, registrationInfo } = await verifyRegistrationResponse(given)
    if (!verified) throw new Error('The attestation is invalid.')
    const { id, publicKey, counter } = registrationInfo.credential
    const key = Buffer.from(publicKey).toString('base64url')
    return { challenge: used.challenge, columns: { id, counter, public_key: key } }
  }

  async function verifyKnown(passkey: Passkey, response: AuthenticationResponseJSON) {
    const { verifyAuthenticationResponse } = await library()
    if (response.response.userHandle !== passkey.user_id) throw new Error('The user id is wrong.')
    const { used, expected } = expectation(SIGN_IN)
    const publicKey = Uint8Array.from(Buffer.from(passkey.public_key, 'base64url'))
    // With the stored counter, the library would reject a counter that doesn't increase: see `redeem`.
    const credential = { id: passkey.id, publicKey, counter: 0 }
    const result = await verifyAuthenticationResponse({ response, ...expected, credential })
    if (!result.verified) throw new Error('The signature is wrong.')
    return { challenge: used.challenge, counter: result.authenticationInfo.newCounter }
  }

  async function redeem(transaction: Database, passkey: Passkey, challenge: string, counter: number) {
    if (!(await challenges.use(transaction, challenge)))
      return new Problem('invalid_input', 'This confirmation was already used. Please try again.')
    // Only a warning: a counter that didn't increase can mean that the passkey was copied, but also that it was restored
    // from a backup. Counters of synced passkeys stay zero.
    if (counter <= passkey.counter && counter + passkey.counter > 0)
      log.warn({ counter, last: passkey.counter }, 'the counter of a passkey did not increase')
    const { numUpdatedRows } = await transaction
      .updateTable('passkeys')
      .set({ counter, used_at: now().toISOString() })
      .where('id', '=', passkey.id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? unknown() : passkey.owner
  }

  return {
    /** What the browser needs to create a passkey for an owner who is signed in. */
    async optionsToAdd(owner: string) {
      const rpID = requireHost()
      const existing = await db
        .selectFrom('passkeys')
        .select(['id', 'transports'])
        .where('owner', '=', owner)
        .where('host', '=', rpID)
        .execute()
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: brand.name,
        rpID,
        userName: owner,
        userDisplayName: owner,
        userID: Uint8Array.from(userIdOf(owner)),
        challenge: challenges.issue(adding(owner)),
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: existing.map(({ id, transports }) => ({
          id,
          transports: JSON.parse(transports),
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },

    /** Verifies and stores a passkey, and tells the owner by email. */
    async add({ owner, browser, name, response }: Registration): Promise<void> {
      const host = requireHost()
      const verifying = verifyNew(owner, response)
      const { challenge, columns } = await explain(
        verifying,
        'added',
        'could not be added. Please try again.',
      )
      const passkey: Passkey = {
        ...columns,
        transports: JSON.stringify(transportsOf(response)),
        owner,
        user_id: userIdOf(owner).toString('base64url'),
        name,
        host,
        created_at: now().toISOString(),
        used_at: null,
      }
      const isAdded = await write(async (transaction) => {
        if (!(await challenges.use(transaction, challenge))) return false
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto('passkeys')
          .values(passkey)
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows !== 1n) return false
        const news = { what: 'passkey_added' as const, name, by: owner, browser }
        await queueSignInEmail(transaction, { owner, news, mailFrom }, now())
        return true
      })
      if (!isAdded) throw new Problem('conflict', 'This passkey has already been added.')
      onQueued()
      log.info('passkey added')
    },

    /** Removes a passkey, and tells its owner by email if the address is still in MAIL_TO. */
    async remove(id: string, { by, browser }: { by: string; browser: string }): Promise<void> {
      const removed = await write(async (transaction) => {
        const passkey = await transaction
          .deleteFrom('passkeys')
          .where('id', '=', id)
          .returning(['owner', 'name'])
          .executeTakeFirst()
        if (!passkey) return false
        const { owner, name } = passkey
        const news = { what: 'passkey_removed' as const, name, by, browser }
        if (mailTo.includes(owner)) await queueSignInEmail(transaction, { owner, news, mailFrom }, now())
        return true
      })
      if (!removed) throw new Problem('not_found', 'There is no such passkey.')
      onQueued()
      log.info('passkey removed')
    },

    /** What the browser needs to ask for a passkey. Stores nothing, so strangers can ask as often as they like. */
    async optionsToSignIn() {
      const rpID = requireHost()
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID,
        challenge: challenges.issue(SIGN_IN),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
        // An empty list makes the browser offer all the passkeys that it has for this site.
        allowCredentials: [],
      })
    },

    /**
     * Verifies what the browser returned. The returned function uses up the challenge within a transaction, and returns the
     * owner, or a Problem.
     */
    async verify(response: AuthenticationResponseJSON) {
      const found = db.selectFrom('passkeys').selectAll().where('id', '=', response.id)
      const passkey = await found.executeTakeFirst()
      if (!passkey || !mailTo.includes(passkey.owner)) throw unknown()
      const advice = 'was not accepted. Please try again, or sign in with a code.'
      const { challenge, counter } = await explain(verifyKnown(passkey, response), 'accepted', advice)
      return (transaction: Database) => redeem(transaction, passkey, challenge, counter)
    },
  }
}

/**
 * Creates and checks challenges: random text that a passkey signs, so that nobody can reuse an old signature. The server
 * signs new challenges instead of storing them, so that strangers can't fill the database. It stores only used challenges,
 * so that none can be used twice.
 */
function createChallenges({ keyedHash, now }: Pick<InboxDeps, 'keyedHash' | 'now'>) {
  const sign = (purpose: string, text: string) => keyedHash(`passkey challenge ${purpose} ${text}`)
  const decode = (challenge: string) => Buffer.from(challenge, 'base64url').toString()

  return {
    issue(purpose: string): Uint8Array<ArrayBuffer> {
      const text = `${now().getTime()}.${randomBytes(16).toString('base64url')}`
      return new TextEncoder().encode(`${text}.${sign(purpose, text)}`)
    },

    /** Whether the server signed this challenge for this purpose. Throws a Problem if the challenge is too old. */
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

/**
 * Throws if the response contains an attestation certificate. We don't ask for one, so browsers send none. If an attacker
 * sent one, the library would fetch a revocation list from whatever address the certificate names.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))
  if (decodeAttestationObject(attestation).get('attStmt').get('x5c') !== undefined)
    throw new Error('The response contains an attestation certificate.')
}

const transportsOf = ({ response: { transports } }: RegistrationResponseJSON): string[] =>
  Array.isArray(transports)
    ? transports.filter((one) => /^[a-z-]{1,20}$/.test(String(one))).slice(0, MAX_TRANSPORTS)
    : []

const unknown = () =>
  new Problem('invalid_input', 'This passkey is not known here, or was removed. Please sign in with a code.')
