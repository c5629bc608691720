import { Buffer } from 'node:buffer'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Insertable } from 'kysely'
import { brand } from '#facts/brand.ts'
import type { Schema } from '../../../database/schema.ts'
import { Problem } from '../../../problem.ts'
import type { InboxDeps } from '../../inbox-deps.ts'
import { queueSignInEmail } from '../queue-sign-in-email.ts'
import { CHALLENGE_MS, createChallenges, requireHost } from './challenges.ts'
import { ALGORITHMS, reasonOf, verifyRegistration } from './verify-registration.ts'

type Deps = Pick<
  InboxDeps,
  'db' | 'write' | 'now' | 'siteUrl' | 'mailFrom' | 'keyedHash' | 'log' | 'onQueued'
>
/** `response` is what the browser returned, and `name` is the owner's name for the passkey. */
type Registration = { owner: string; browser: string; name: string; response: RegistrationResponseJSON }

/** Adds passkeys for an owner who is signed in. */
export function createAddPasskey({ db, write, now, siteUrl, mailFrom, keyedHash, log, onQueued }: Deps) {
  const challenges = createChallenges({ keyedHash, now })
  const purposeOf = (owner: string) => `adding ${owner.toLowerCase()}`
  // The user id is the same for all of an owner's passkeys, so that a device keeps only one passkey per owner. It reveals
  // nothing about the owner.
  const userIdOf = (owner: string) => Buffer.from(keyedHash(`passkey user ${owner.toLowerCase()}`))

  return {
    async options(owner: string) {
      const rpID = requireHost(siteUrl)
      const existing = await db
        .selectFrom('passkeys')
        .select(['id', 'transports'])
        .where('owner', '=', owner)
        .where('host', '=', rpID)
        .execute()
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      return generateRegistrationOptions({
        rpName: brand.name,
        rpID,
        userName: owner,
        userDisplayName: owner,
        userID: Uint8Array.from(userIdOf(owner)),
        challenge: challenges.issue(purposeOf(owner)),
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
      const { challenge, ...verified } = await verify(owner, response)
      const at = now()
      const passkey: Insertable<Schema['passkeys']> = {
        ...verified,
        owner,
        user_id: userIdOf(owner).toString('base64url'),
        name,
        host: requireHost(siteUrl),
        created_at: at.toISOString(),
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
        await queueSignInEmail(transaction, { owner, news, mailFrom }, at)
        return true
      })
      if (!isAdded) throw new Problem('conflict', 'This passkey has already been added.')
      onQueued()
      log.info('passkey added')
    },
  }

  async function verify(owner: string, response: RegistrationResponseJSON) {
    try {
      const isOurChallenge = (challenge: string) => challenges.isOurs(purposeOf(owner), challenge)
      return await verifyRegistration(response, { siteUrl, isOurChallenge })
    } catch (error) {
      if (error instanceof Problem) throw error
      log.warn({ reason: reasonOf(error) }, 'passkey not added')
      throw new Problem('invalid_input', 'The passkey could not be added. Please try again.')
    }
  }
}

type RemoveDeps = Pick<InboxDeps, 'write' | 'now' | 'mailTo' | 'mailFrom' | 'log' | 'onQueued'>

/** Removes a passkey, and tells its owner by email if the address is still in MAIL_TO. */
export const createRemovePasskey = ({ write, now, mailTo, mailFrom, log, onQueued }: RemoveDeps) =>
  async function removePasskey(id: string, { by, browser }: { by: string; browser: string }): Promise<void> {
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
  }
