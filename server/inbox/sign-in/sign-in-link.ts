import { CODE_MINUTES, inboxPath } from '#shared/inbox/api.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { noOwner } from './redeem-code.ts'
import { createToken, hashToken } from './secrets.ts'
import { forgetRequests } from './sign-in-limits.ts'

/** Creates a link that signs one browser in as this owner. It is for people who have a shell on the server. */
export async function createSignInLink(db: Database, owner: string, siteUrl: string, now: Date) {
  const token = createToken()
  const endsAt = new Date(now.getTime() + CODE_MINUTES * 60_000).toISOString()
  await db.transaction().execute(async (transaction) => {
    await forgetRequests(transaction, now)
    await transaction
      .insertInto('sign_ins')
      .values({
        id: hashToken(token),
        kind: 'link',
        owner,
        code: '',
        browser: '',
        client: '',
        is_known: 0,
        created_at: now.toISOString(),
        ends_at: endsAt,
        used_at: null,
      })
      .execute()
  })
  // The token is in the fragment, which browsers never send to a server.
  return { url: `${siteUrl}${inboxPath}/sign-in#link=${token}`, endsAt }
}

const again = 'Make a new one on the server: npm run leads -- sign-in'

/** Redeems a link within the caller's transaction. Returns the owner, or a Problem. */
export function createRedeemLink({ now, mailTo }: Pick<InboxDeps, 'now' | 'mailTo'>) {
  return async function redeemLink(transaction: Database, token: string): Promise<string | Problem> {
    const at = now().toISOString()
    const id = hashToken(token)
    const redeemed = await transaction
      .updateTable('sign_ins')
      .set({ used_at: at })
      .where('id', '=', id)
      .where('kind', '=', 'link')
      .where('used_at', 'is', null)
      .where('ends_at', '>', at)
      .returning('owner')
      .executeTakeFirst()
    if (redeemed?.owner) return mailTo.includes(redeemed.owner) ? redeemed.owner : noOwner()
    const found = await transaction
      .selectFrom('sign_ins')
      .select('used_at')
      .where('id', '=', id)
      .where('kind', '=', 'link')
      .executeTakeFirst()
    if (!found) return refuse('This link is not valid. Part of it may be missing.')
    return refuse(
      found.used_at
        ? 'This link was already used.'
        : `A link works for ${CODE_MINUTES} minutes, and this one is older.`,
    )
  }
}

const refuse = (sentence: string) => new Problem('invalid_input', `${sentence} ${again}`)
