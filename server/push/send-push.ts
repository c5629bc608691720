import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import webPush from 'web-push'
import type { Context } from '../context.ts'
import { readNote } from '../database/notes.ts'
import type { Database, Schema } from '../database/schema.ts'

/**
 * What a phone shows. `url` opens when it's tapped; a later message with the same `tag` replaces
 * this one.
 */
export type PushMessage = { title: string; body: string; url: string; tag: string }
type Subscription = Schema['push_subscriptions']
type Deps = Pick<Context, 'db' | 'env' | 'log'> & {
  mayConnect?: (address: string) => boolean
  retryAfterMs?: readonly number[]
}

const TIMEOUT_MS = 10_000
// A push that comes later than this is no news: the email is there.
const RETRY_AFTER_MS = [1_000, 5_000]
// How long the push service keeps a message for a phone that is off. By then, the owner has the
// email.
const TTL_SECONDS = 4 * 60 * 60

/** The server's key pair (RFC 8292). Made at the first use. */
export async function readPushKeys(db: Database) {
  const keys = await readNote(db, 'push_keys')
  if (keys) return keys
  const made = webPush.generateVAPIDKeys()
  // Two replicas may do this at once: the first one wins.
  await db
    .insertInto('settings')
    .values({ name: 'push_keys', value: JSON.stringify(made) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readNote(db, 'push_keys')) ?? made
}

/**
 * Sends a message to a browser, encrypted for it (RFC 8291). Tries three times within a few
 * seconds, and deletes a subscription that has ended. Never rejects.
 */
export const sendPush = (deps: Deps, subscription: Subscription, message: PushMessage): Promise<void> =>
  // For example, the browser's key may be no point of the curve.
  trySending(deps, subscription, message).catch((err) => deps.log.warn({ err }, 'push not sent'))

async function trySending(
  { db, env, log, mayConnect = isPublic, retryAfterMs = RETRY_AFTER_MS }: Deps,
  { endpoint, p256dh, auth, refused }: Subscription,
  message: PushMessage,
): Promise<void> {
  const details = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: `mailto:${env.MAIL_FROM.address}`, ...(await readPushKeys(db)) },
      TTL: TTL_SECONDS,
      urgency: 'high',
    },
  )
  for (const waitMs of [0, ...retryAfterMs]) {
    await sleep(waitMs)
    const status = await post(endpoint, details, mayConnect).catch(() => 0)
    if (status === 404 || status === 410)
      return void (await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute())
    const note = (refused: number | null) =>
      db.updateTable('push_subscriptions').set({ refused }).where('endpoint', '=', endpoint).execute()
    if (status >= 200 && status < 300) return void (refused !== null && (await note(null)))
    log.warn({ status, host: new URL(endpoint).host }, 'push not sent')
    // A client error stays one, except "too many requests", until somebody corrects its cause, such
    // as a wrong clock. A redirect isn't followed: it could lead into our own network.
    if (status >= 300 && status < 500 && status !== 429) return void (await note(status))
  }
}

/** Posts the message and returns the status. Reads nothing of the response. */
async function post(
  endpoint: string,
  { headers, body }: webPush.RequestDetails,
  mayConnect: (address: string) => boolean,
): Promise<number> {
  // An owner's browser names the push service: it must not be in our own network. Connects to no
  // other address than these.
  const addresses = await lookup(new URL(endpoint).hostname, { all: true })
  if (!addresses.every(({ address }) => mayConnect(address))) throw new Error('This address is not public.')
  const sent = request(endpoint, {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    lookup: (_hostname, _options, callback) => callback(null, addresses),
  })
  // It may also fail after its response has begun.
  const [response] = await once(sent.on('error', () => {}).end(body), 'response')
  response.destroy()
  return response.statusCode
}

/** Whether an IP address is on the internet, and not in a private or special network. */
export const isPublic = (address: string): boolean =>
  // An IPv4 address within an IPv6 one counts as itself.
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
