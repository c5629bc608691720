import { Buffer } from 'node:buffer'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Selectable } from 'kysely'
import type { Database, Schema } from '../../../database/schema.ts'
import { Problem } from '../../../problem.ts'
import type { InboxDeps } from '../../inbox-deps.ts'
import { CHALLENGE_MS, createChallenges, requireHost } from './challenges.ts'
import { reasonOf } from './verify-registration.ts'

const PURPOSE = 'sign-in'

type Deps = Pick<InboxDeps, 'db' | 'now' | 'mailTo' | 'siteUrl' | 'keyedHash' | 'log'>
type Passkey = Selectable<Schema['passkeys']>

/** Signs owners in with a passkey, without a code from an email. */
export function createUsePasskey({ db, now, mailTo, siteUrl, keyedHash, log }: Deps) {
  const challenges = createChallenges({ keyedHash, now })

  return {
    /** What the browser needs to ask for a passkey. Stores nothing, so strangers can ask as often as they like. */
    options: () => ({
      challenge: Buffer.from(challenges.issue(PURPOSE)).toString('base64url'),
      rpId: requireHost(siteUrl),
      timeout: CHALLENGE_MS,
      userVerification: 'required' as const,
      // An empty list makes the browser offer all the passkeys that it has for this site.
      allowCredentials: [],
    }),

    /** Verifies what the browser returned, and returns a function that uses up the challenge within a transaction. */
    async verify(assertion: AuthenticationResponseJSON) {
      const passkey = await db
        .selectFrom('passkeys')
        .selectAll()
        .where('id', '=', assertion.id)
        .executeTakeFirst()
      if (!passkey || !mailTo.includes(passkey.owner)) throw unknown()
      const { challenge, counter } = await check(assertion, passkey)
      return (transaction: Database) => use(transaction, passkey, challenge, counter)
    },
  }

  async function check(response: AuthenticationResponseJSON, passkey: Passkey) {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    let challenge = ''
    try {
      if (response.response.userHandle !== passkey.user_id) throw new Error('The user id is wrong.')
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge(given) {
          challenge = given
          return challenges.isOurs(PURPOSE, given)
        },
        expectedOrigin: siteUrl,
        expectedRPID: requireHost(siteUrl),
        credential: {
          id: passkey.id,
          publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
          // With the stored counter, the library would reject a counter that doesn't increase: see `use`.
          counter: 0,
        },
      })
      if (!verified) throw new Error('The signature is wrong.')
      return { challenge, counter: authenticationInfo.newCounter }
    } catch (error) {
      if (error instanceof Problem) throw error
      log.warn({ reason: reasonOf(error) }, 'passkey not accepted')
      throw new Problem(
        'invalid_input',
        'The passkey was not accepted. Please try again, or sign in with a code.',
      )
    }
  }

  /** Uses up the challenge. Returns the owner, or a Problem. */
  async function use(
    transaction: Database,
    { id, owner, ...last }: Passkey,
    challenge: string,
    counter: number,
  ) {
    if (!(await challenges.use(transaction, challenge)))
      return new Problem('invalid_input', 'This confirmation was already used. Please try again.')
    // Only a warning: a counter that didn't increase can mean that the passkey was copied, but also that it was restored
    // from a backup. Counters of synced passkeys stay zero.
    if (counter <= last.counter && counter + last.counter > 0)
      log.warn({ counter, last: last.counter }, 'the counter of a passkey did not increase')
    const { numUpdatedRows } = await transaction
      .updateTable('passkeys')
      .set({ counter, used_at: now().toISOString() })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 0n ? unknown() : owner
  }
}

const unknown = () =>
  new Problem('invalid_input', 'This passkey is not known here, or was removed. Please sign in with a code.')
