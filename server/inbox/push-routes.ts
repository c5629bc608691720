import type { Request, Response } from 'express'
import type { Insertable } from 'kysely'
import { type PushState, pushSubscription, renewedSubscription } from '#shared/inbox/push.ts'
import type { Context } from '../context.ts'
import type { Database, Schema } from '../database/schema.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { readPushKeys } from '../push/send-push.ts'

// Without the lock, of two requests at once, one would fail on PostgreSQL.
const LOCKS = ['push subscriptions']

/** A session has one subscription, and a subscription belongs to one session. */
async function replace(db: Database, row: Insertable<Schema['push_subscriptions']>) {
  await db
    .deleteFrom('push_subscriptions')
    .where(({ or, eb }) => or([eb('session', '=', row.session), eb('endpoint', '=', row.endpoint)]))
    .execute()
  await db.insertInto('push_subscriptions').values(row).execute()
}

/** The addresses with which a browser turns push messages on and off for its session. */
export const pushRoutes = ({ db, write }: Pick<Context, 'db' | 'write'>) => ({
  state: send(async (_request, response): Promise<PushState> => {
    const { id } = sessionOf(response)
    const found = await db
      .selectFrom('push_subscriptions')
      .select(['endpoint', 'shows_content'])
      .where('session', '=', id)
      .executeTakeFirst()
    return {
      publicKey: (await readPushKeys(db)).publicKey,
      endpoint: found?.endpoint ?? null,
      showsContent: found?.shows_content !== 0,
    }
  }),
  async turnOn({ body }: Request, response: Response) {
    const { endpoint, keys, showsContent } = readInput(pushSubscription, body)
    const { id: session } = sessionOf(response)
    const row = { endpoint, ...keys, session, shows_content: showsContent ? 1 : 0 } as const
    await write((transaction) => replace(transaction, row), LOCKS)
    response.status(201).json({})
  },
  /**
   * A browser may renew its subscription at any time, so this needs no recent sign-in. It turns
   * nothing on, and messages show no more than before.
   */
  async renew({ body }: Request, response: Response) {
    const { endpoint, keys } = readInput(renewedSubscription, body)
    const { id: session } = sessionOf(response)
    await write(async (transaction) => {
      const before = await transaction
        .selectFrom('push_subscriptions')
        .select('shows_content')
        .where('session', '=', session)
        .executeTakeFirst()
      if (before) await replace(transaction, { ...before, endpoint, ...keys, session })
    }, LOCKS)
    response.status(204).end()
  },
  async turnOff(_request: Request, response: Response) {
    await db.deleteFrom('push_subscriptions').where('session', '=', sessionOf(response).id).execute()
    response.status(204).end()
  },
})
