import { type Selectable, sql } from 'kysely'
import {
  CODE_ALPHABET,
  CODE_ELSEWHERE,
  CODE_LENGTH,
  CODE_MINUTES,
  CODE_TRIES,
  CODE_WRONG,
  readCode,
  showCode,
} from '#shared/inbox/api.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { hashCode, hashToken } from './secrets.ts'

type SignIn = Selectable<Schema['sign_ins']>
type Deps = Pick<InboxDeps, 'now' | 'mailTo' | 'keyedHash'>

const refusal = (sentence: string) => new Problem('invalid_input', sentence)

/** The error for a browser that didn't ask for a code, such as one inside a mail app, or a scanner that opens links. */
export const elsewhere = () => refusal(CODE_ELSEWHERE)

/** Normalizes a code. If the text can't be a code, returns a Problem, and the text doesn't count as a try. */
export function parseCode(typed: string): string | Problem {
  const code = readCode(typed)
  const foreign = [...code].find((letter) => !CODE_ALPHABET.includes(letter))
  if (foreign) return refusal(`Codes never contain ${foreign}. Please compare it with the email.`)
  if (code.length === CODE_LENGTH) return code
  return refusal(
    `A code has ${CODE_LENGTH} letters and digits, like ${showCode('K7MF29QX')}. Please compare it with the email.`,
  )
}

/**
 * Redeems a code within the caller's transaction. Returns the owner, or a Problem. A browser that has asked more than once
 * has a token for each code, and all of these codes work. The caller must commit the transaction even after a Problem:
 * otherwise, the try wouldn't count.
 */
export function createRedeemCode({ now, mailTo, keyedHash }: Deps) {
  return async function redeemCode(
    transaction: Database,
    tokens: readonly string[],
    code: string,
  ): Promise<string | Problem> {
    const at = now().toISOString()
    const hashes = new Map(tokens.map((token) => [hashToken(token), hashCode(keyedHash, token, code)]))
    const ids = [...hashes.keys()]
    // No constant-time comparison is needed: only the server can compute keyed hashes, so response times reveal nothing.
    const isRight = (request: SignIn) => request.code === hashes.get(request.id)

    // Counts the try before comparing, so that parallel requests get no extra tries.
    const open = await transaction
      .updateTable('sign_ins')
      .set({ tries: sql`tries + 1` })
      .where('id', 'in', ids)
      .where('kind', '=', 'code')
      .where('used_at', 'is', null)
      .where('tries', '<', CODE_TRIES)
      .where('ends_at', '>', at)
      .returningAll()
      .execute()
    const right = open.find(isRight)
    if (right) {
      await transaction.updateTable('sign_ins').set({ used_at: at }).where('id', '=', right.id).execute()
      return right.owner !== null && mailTo.includes(right.owner) ? right.owner : noOwner()
    }
    const all = await transaction.selectFrom('sign_ins').selectAll().where('id', 'in', ids).execute()
    return refuse(all.find(isRight), at)
  }
}

/**
 * Says why a code is refused, but only if it is the right one, which no stranger knows. A wrong one always gets the same
 * words: requests for strangers' addresses are deleted earlier, so a reason would reveal which addresses are owners'.
 */
function refuse(right: SignIn | undefined, at: string): Problem {
  if (!right) return refusal(CODE_WRONG)
  if (right.used_at) return refusal('This code was already used. Ask for a new one.')
  if (right.ends_at <= at)
    return refusal(`A code works for ${CODE_MINUTES} minutes, and this one is older. Ask for a new one.`)
  return refusal(
    `You entered a wrong code ${CODE_TRIES} times, so your code no longer works. Ask for a new one.`,
  )
}

/** The error for an address that was removed from MAIL_TO. */
export const noOwner = () => refusal('This address can no longer sign in here. Ask whoever runs this site.')
