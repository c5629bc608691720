import { lookup } from 'node:dns'
import { request } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import webPush from 'web-push'
import type { Context } from '../context.ts'
import type { Database, Schema } from '../database/schema.ts'
import { readNote } from '../database/settings.ts'

/** What a phone shows. `url` opens when it's tapped; a later message with the same `tag` replaces this one. */
export type PushMessage = { title: string; body: string; url: string; tag: string }
type Subscription = Schema['push_subscriptions']
type Deps = Pick<Context, 'db' | 'env' | 'log'> & {
  mayConnect?: (address: string) => boolean
  retryAfterMs?: readonly number[]
}

const TIMEOUT_MS = 10_000
// A push that comes later than this is no news: the email is there.
const RETRY_AFTER_MS = [1_000, 5_000]
// How long the push service keeps a message for a phone that is off. By then, the owner has the email.
const TTL_SECONDS = 4 * 60 * 60

/** The server's key pair (RFC 8292). Made at the first use. */
export async function readPushKeys(db: Database) {
  const keys = await readNote<ReturnType<typeof webPush.generateVAPIDKeys>>(db, 'push_keys')
  if (keys) return keys
  const made = webPush.generateVAPIDKeys()
  // Two replicas may do this at once: the first one wins.
  await db
    .insertInto('settings')
    .values({ name: 'push_keys', value: JSON.stringify(made) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await readNote<typeof made>(db, 'push_keys')) ?? made
}

/**
 * Sends a message to a browser, encrypted for it (RFC 8291). Tries three times within a few seconds, and deletes a subscription
 * that has ended. Never rejects.
 */
export async function sendPush(
  { db, env, log, mayConnect = isPublic, retryAfterMs = RETRY_AFTER_MS }: Deps,
  { endpoint, p256dh, auth }: Subscription,
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
    if (status >= 200 && status < 300) return
    log.warn({ status, host: new URL(endpoint).host }, 'push not sent')
    // A client error stays one, except "too many requests". A redirect isn't followed: it could lead into our own network.
    if (status >= 300 && status < 500 && status !== 429) return
  }
}

/** Posts the message and returns the status. Reads nothing of the response. */
const post = (
  endpoint: string,
  { headers, body }: webPush.RequestDetails,
  mayConnect: (address: string) => boolean,
) =>
  new Promise<number>((resolve, reject) => {
    const { hostname } = new URL(endpoint)
    const host = hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) && !mayConnect(host)) throw new Error('This address is not public.')
    const options = { method: 'POST', headers, timeout: TIMEOUT_MS, lookup: lookupOf(mayConnect) }
    const sending = request(endpoint, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) }, (response) => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    sending.on('error', reject).on('timeout', () => sending.destroy(new Error('No reply in time.')))
    sending.end(body)
  })

/** Resolves a name, unless it has an address in our own network: an owner's browser names the push service. */
const lookupOf =
  (mayConnect: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const isRefused = !error && !addresses.every(({ address }) => mayConnect(address))
      if (error || isRefused) return callback(error ?? new Error('This address is not public.'), '', 0)
      const [first] = addresses
      return options.all
        ? callback(null, addresses)
        : callback(null, first?.address ?? '', first?.family ?? 4)
    })

// IANA's registries of special-purpose addresses.
const special = new BlockList()
for (const range of '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'.split(
  ' ',
)) {
  const [network = '', bits] = range.split('/')
  special.addSubnet(network, Number(bits), 'ipv4')
}
// The only public IPv6 addresses are in 2000::/3, except 6to4, Teredo and documentation.
const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')
for (const range of '2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' ')) {
  const [network = '', bits] = range.split('/')
  special.addSubnet(network, Number(bits), 'ipv6')
}

/** Whether an IP address is on the internet, and not in a private or special network. */
export const isPublic = (address: string): boolean =>
  isIP(address) === 6
    ? publicV6.check(address, 'ipv6') && !special.check(address, 'ipv6')
    : isIP(address) === 4 && !special.check(address, 'ipv4')
