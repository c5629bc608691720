import type { Request, Response } from 'express'
import type { Insertable } from 'kysely'
import { type PushState, pushAddress, pushSubscription } from '#shared/inbox/push.ts'
import type { Context } from '../context.ts'
import type { Database, Schema } from '../database/schema.ts'
import { Problem } from '../errors/problem.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { readPushKeys } from '../push/send-push.ts'

// Of two requests at once, without the lock one would fail on PostgreSQL.
const LOCKS = ['push subscriptions']

const ofSession = (db: Database, session: string) =>
  db.selectFrom('push_subscriptions').selectAll().where('session', '=', session).executeTakeFirst()

async function replace(transaction: Database, row: Insertable<Schema['push_subscriptions']>) {
  const { session, endpoint } = row
  await transaction
    .deleteFrom('push_subscriptions')
    .where(({ or, eb }) => or([eb('session', '=', session), eb('endpoint', '=', endpoint)]))
    .execute()
  await transaction.insertInto('push_subscriptions').values(row).execute()
}

/** The addresses with which a browser turns push messages on and off for its session. */
export const pushRoutes = ({ db, write }: Pick<Context, 'db' | 'write'>) => ({
  state: send(async (_request, response): Promise<PushState> => {
    const { id } = sessionOf(response)
    const found = await ofSession(db, id)
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
    await write((transaction) => replace(transaction, row), LOCKS)
    response.status(201).json({})
  },
  /**
   * A browser may renew its subscription at any time, so this needs no recent sign-in. It turns
   * nothing on, and the messages show no more than before.
   */
  async renew({ body }: Request, response: Response) {
    const { endpoint, keys } = readInput(pushAddress, body)
    const { id: session } = sessionOf(response)
    await write(async (transaction) => {
      const { shows_content } = (await ofSession(transaction, session)) ?? {}
      if (shows_content === undefined) throw new Problem('not_found', 'Messages are off on this device.')
      await replace(transaction, { endpoint, ...keys, session, shows_content })
    }, LOCKS)
    response.status(204).end()
  },
  async turnOff(_request: Request, response: Response) {
    await db.deleteFrom('push_subscriptions').where('session', '=', sessionOf(response).id).execute()
    response.status(204).end()
  },
})
