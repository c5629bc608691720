import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import {
  CODE_ALPHABET,
  CODE_LENGTH,
  CODE_MINUTES,
  CODE_TRIES,
  CODE_WRONG,
  CODES_A_DAY,
  CODES_AN_HOUR,
  inboxPath,
} from '#shared/inbox/api.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { queueSignInEmail } from './sign-in-email.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

// How many codes an owner gets in an hour for unknown browsers. The same number is allowed for
// known browsers: those that the owner has signed in with.
const MAX_EMAILS = 6
// How many codes of one owner a network can ask for in a day, in unknown browsers. The limits on
// unknown browsers leave some codes for the owner, and keep strangers from filling the owner's
// mailbox.
const MAX_BY_CLIENT_A_DAY = 10

type SignInRow = Insertable<Schema['sign_ins']>

/** A random value for a cookie or a link. */
export const createToken = (): string => randomBytes(32).toString('base64url')

/**
 * The stored hash of a token. A token has 256 random bits, so nobody can guess it from its hash.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A random code for an email. */
const createCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

/**
 * The stored hash of a code. It also depends on the token in the browser's cookie. The token isn't
 * stored, so a stolen database reveals no code.
 */
export const hashCode = (keyedHash: (text: string) => string, token: string, code: string): string =>
  keyedHash(`sign-in code ${token} ${code}`)

/** Who is asking. `client` is a keyed hash of the network address. */
type CodeRequest = {
  email: string
  browser: string
  client: string
  /** Whether this owner has signed in with this browser before. */
  isKnown: (owner: string) => boolean
}
type Deps = Pick<InboxDeps, 'db' | 'write' | 'now' | 'env' | 'keyedHash' | 'onQueued'>

/** Sends codes by email, and redeems them. */
export function createCodes(deps: Deps) {
  const { db, write, now, env, keyedHash, onQueued } = deps

  /**
   * Uses up a code or a link. Returns its owner; undefined if it was used, is too old, or belongs
   * to a former owner.
   */
  async function use(kind: 'code' | 'link', id: string, at: string): Promise<string | undefined> {
    const used = await db
      .updateTable('sign_ins')
      .set({ used_at: at })
      .where((row) => row.and({ id, kind }))
      .where('used_at', 'is', null)
      .where('ends_at', '>', at)
      .returning('owner')
      .executeTakeFirst()
    return env.MAIL_TO.find((owner) => owner === used?.owner)
  }

  return {
    /**
     * Queues an email with a code to an owner, and returns the token that binds the code to the
     * browser. Does the same for anybody else, and beyond the limits, but without an email: nothing
     * reveals who is an owner.
     */
    async ask({ email, browser, client, isKnown }: CodeRequest): Promise<string> {
      const address = email.toLowerCase()
      const owner = env.MAIL_TO.find((one) => one.toLowerCase() === address)
      const token = createToken()
      const code = createCode()
      const queue = async (transaction: Database) => {
        const row: SignInRow = {
          ...newRow('code', token, now()),
          owner: owner ?? null,
          code: hashCode(keyedHash, token, code),
          client,
          is_known: owner !== undefined && isKnown(owner) ? 1 : 0,
        }
        await forgetOld(transaction, now())
        // The last day's codes that were sent. The limits keep them few.
        const codes = await transaction
          .selectFrom('sign_ins')
          .selectAll()
          .where('kind', '=', 'code')
          .execute()
        const isSent = owner !== undefined && mayEmail(row, codes, now())
        await transaction.insertInto('sign_ins').values(row).execute()
        const news = { what: 'code' as const, code, browser, isKnown: row.is_known === 1 }
        if (isSent) await queueSignInEmail(transaction, owner, news, deps)
        // Writing the row first makes a full disk or a lost database fail a stranger's request just
        // like an owner's.
        else await transaction.deleteFrom('sign_ins').where('id', '=', row.id).execute()
        return isSent
      }
      const isQueued = await write(queue, [`sign-in of ${keyedHash(address)}`])
      if (isQueued) onQueued()
      return token
    },

    /**
     * Redeems a code, and returns the owner. Throws a Problem, which is the same for every wrong
     * code. A browser that has asked more than once has a token for each code, and all of these
     * codes work.
     */
    async redeem(tokens: readonly string[], code: string): Promise<string> {
      const at = now().toISOString()
      const hashes = new Map(tokens.map((token) => [hashToken(token), hashCode(keyedHash, token, code)]))
      // Counts the try before comparing, so that parallel requests get no extra tries.
      const open = await db
        .updateTable('sign_ins')
        .set({ tries: sql`tries + 1` })
        .where('id', 'in', [...hashes.keys()])
        .where('kind', '=', 'code')
        .where('used_at', 'is', null)
        .where('tries', '<', CODE_TRIES)
        .where('ends_at', '>', at)
        .returning(['id', 'code'])
        .execute()
      // No constant-time comparison is needed: only the server can compute keyed hashes, so
      // response times reveal nothing.
      const right = open.find((row) => row.code === hashes.get(row.id))
      const owner = right && (await use('code', right.id, at))
      if (owner) return owner
      throw new Problem('invalid_input', CODE_WRONG)
    },

    /** Redeems a link, and returns the owner. Throws a Problem if the link doesn't work. */
    async redeemLink(token: string): Promise<string> {
      const owner = await use('link', hashToken(token), now().toISOString())
      if (owner) return owner
      throw new Problem(
        'invalid_input',
        `This link is incomplete, was already used, or is older than ${CODE_MINUTES} minutes. Make a new one on the server: npm run leads -- sign-in`,
      )
    },
  }
}

/**
 * Creates a link that signs one browser in as this owner. It is for people who have a shell on the
 * server.
 */
export async function createSignInLink(db: Database, owner: string, siteUrl: string, now: Date) {
  const token = createToken()
  const row = { ...newRow('link', token, now), owner }
  await db.insertInto('sign_ins').values(row).execute()
  // The token is in the fragment, which browsers never send to a server.
  return { url: `${siteUrl}${inboxPath}/sign-in#link=${token}`, endsAt: row.ends_at }
}

const newRow = (kind: 'code' | 'link', token: string, at: Date) => ({
  id: hashToken(token),
  kind,
  code: '',
  client: '',
  is_known: 0 as const,
  used_at: null,
  created_at: at.toISOString(),
  ends_at: new Date(at.getTime() + CODE_MINUTES * 60_000).toISOString(),
})

/**
 * Deletes what no longer counts toward a limit. A row from a day in the future comes from a wrong
 * clock.
 */
async function forgetOld(transaction: Database, now: Date): Promise<void> {
  const from = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  await transaction
    .deleteFrom('sign_ins')
    .where(({ or, eb }) => or([eb('created_at', '<=', from(-DAY_MS)), eb('created_at', '>', from(DAY_MS))]))
    .execute()
}

/** Whether the limits allow another email with a code, like `next`. */
function mayEmail(next: SignInRow, codes: Selectable<Schema['sign_ins']>[], now: Date): boolean {
  const hourAgo = new Date(now.getTime() - HOUR_MS).toISOString()
  const inLastHour = (some: typeof codes) => some.filter(({ created_at }) => created_at > hourAgo).length
  const same = codes.filter(({ owner, is_known }) => owner === next.owner && is_known === next.is_known)
  if (inLastHour(same) >= MAX_EMAILS) return false
  if (next.is_known) return true
  const here = same.filter(({ client }) => client === next.client)
  return (
    inLastHour(here) < CODES_AN_HOUR &&
    here.length < MAX_BY_CLIENT_A_DAY &&
    // Not locked across owners: requests for several of them at once can exceed it by one each.
    codes.filter(({ is_known }) => !is_known).length < CODES_A_DAY
  )
}
