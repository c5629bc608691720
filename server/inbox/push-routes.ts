import type { Request, Response } from 'express'
import { type PushState, pushSubscription, renewedSubscription } from '#shared/inbox/push.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { readPushKeys } from '../push/send-push.ts'

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
  /** A browser has one subscription. */
  async turnOn({ body }: Request, response: Response) {
    const { endpoint, keys, showsContent } = readInput(pushSubscription, body)
    const { id: session } = sessionOf(response)
    const row = { endpoint, ...keys, session, shows_content: showsContent ? 1 : 0 } as const
    const replace = async (transaction: Database) => {
      await transaction
        .deleteFrom('push_subscriptions')
        .where(({ or, eb }) => or([eb('session', '=', session), eb('endpoint', '=', endpoint)]))
        .execute()
      await transaction.insertInto('push_subscriptions').values(row).execute()
    }
    // Without the lock, of two requests at once, one would fail on PostgreSQL.
    await write(replace, ['push subscriptions'])
    response.status(201).json({})
  },
  /**
   * A browser may renew its subscription at any time, so this needs no recent sign-in. It turns
   * nothing on, and messages show no more than before.
   */
  async renew({ body }: Request, response: Response) {
    const { endpoint, keys } = readInput(renewedSubscription, body)
    const row = db.updateTable('push_subscriptions').set({ endpoint, ...keys, refused: null })
    await row.where('session', '=', sessionOf(response).id).execute()
    response.status(204).end()
  },
  async turnOff(_request: Request, response: Response) {
    await db.deleteFrom('push_subscriptions').where('session', '=', sessionOf(response).id).execute()
    response.status(204).end()
  },
})
