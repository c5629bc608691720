import { createECDH, randomBytes } from 'node:crypto'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import tls from 'node:tls'
import { decrypt } from 'http_ece'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { checkPush } from '../doctor/queue.ts'
import { endOf } from '../inbox/sign-in/sessions.ts'
import { undoChange } from '../leads/change/change-lead.ts'
import { followUp } from '../leads/change/mark-lead.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { sampleSession } from '../proof/testing/owner-browser.ts'
import { samplePlan } from '../proof/testing/sample-plan.ts'
import { selfSigned } from '../proof/testing/self-signed.ts'
import { createPushNews } from './push-news.ts'
import { isPublic, readPushKeys } from './send-push.ts'

const site = useTestApp({ mailTo: [anna] })
const { read, submit, suspect } = leadTools(site)

type Received = Record<'title' | 'body' | 'url' | 'tag', string> & { headers: IncomingHttpHeaders }
let server: Server
let url = ''
let status = 201
let requests = 0
let received: Received[] = []
/** The path of a phone that always accepts messages. */
const other = '/push/other'
const browser = createECDH('prime256v1')
browser.generateKeys()
const secret = randomBytes(16)

const { key, cert } = selfSigned('localhost')
const usual = tls.getCACertificates('default')

beforeAll(async () => {
  tls.setDefaultCACertificates([...usual, cert])
  server = createServer({ key, cert }, async (request, response) => {
    requests++
    const body = await buffer(request)
    // Decrypts as a browser does (RFC 8291).
    const text = decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: secret }).toString()
    const code = request.url === other ? 201 : status
    if (code === 201) received.push({ ...JSON.parse(text), headers: request.headers })
    response.writeHead(code, code === 301 ? { Location: 'https://localhost:1/' } : {}).end()
  }).listen(0, 'localhost')
  await once(server, 'listening')
  url = `https://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  tls.setDefaultCACertificates(usual)
  server.close()
})
beforeEach(() => {
  status = 201
  requests = 0
  received = []
})

async function subscribe({
  endpoint = `${url}/push/1`,
  owner = anna,
  session = 's',
  shows_content = 1 as 0 | 1,
} = {}) {
  const at = site.clock.now.toISOString()
  const signedIn = sampleSession({ id: session, owner, signed_in_at: at, seen_at: at })
  await site.db.insertInto('sessions').values(signedIn).execute()
  const keys = { p256dh: browser.getPublicKey('base64url'), auth: secret.toString('base64url') }
  await site.db
    .insertInto('push_subscriptions')
    .values({ endpoint, ...keys, session, shows_content })
    .execute()
  await look()
}
const look = async (mayConnect = (_address: string) => true) => {
  const job = createPushNews({ ...site.context, sessionEndsAt: endOf, mayConnect, retryAfterMs: [1, 1] })
  await (await job(new AbortController().signal))?.sent
}
const subscriptions = async () =>
  (await site.db.selectFrom('push_subscriptions').selectAll().execute()).length

test('a phone is told of each new request once, encrypted, with its name, plan and first words', async () => {
  await submit({ message: 'Before the phone was added' })
  await subscribe()
  const message = `A new\n\nroof\u202e ${'🏠'.repeat(200)}`
  const reference = await submit({ firstName: 'Ada', lastName: 'Lovelace', message })
  await look()
  await look()
  expect(received).toMatchObject([
    {
      title: `Ada Lovelace, ${samplePlan.name}`,
      body: expect.stringMatching(/^A new roof[^\u202e]{130}…$/u),
      url: `/inbox/${reference}?open=reply`,
      headers: { urgency: 'high', ttl: '14400' },
    },
  ])
})

test('a message names our key and address, with which the push service checks who sent it (RFC 8292)', async () => {
  // Two replicas may make the keys at once.
  const [{ publicKey }, other] = await Promise.all([readPushKeys(site.db), readPushKeys(site.db)])
  expect(other.publicKey).toBe(publicKey)
  await subscribe()
  await submit()
  await look()
  const [, token = '', given] =
    /^vapid t=(.+), ?k=(.+)$/.exec(String(received[0]?.headers.authorization)) ?? []
  expect(given).toBe(publicKey)
  const claims = token.split('.')[1] ?? ''
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: url,
    sub: 'mailto:site@agency.example',
  })
})

test.each([
  ['reply', 'ada@example.com', 'Ada Lovelace wrote again', 'Hello'],
  [
    'reply',
    'camille@example.com',
    'A message about the request of Ada Lovelace',
    'From camille@example.com: Hello',
  ],
  ['reply', '', 'A message about the request of Ada Lovelace', 'From an unknown address: Hello'],
  ['answer_failed', anna, 'Not delivered to Ada Lovelace', 'Hello'],
] as const)(
  'a phone is told who has written, or what failed, each time: %s "%s"',
  async (what, who, title, body) => {
    await subscribe()
    const reference = await submit({ firstName: 'Ada', lastName: 'Lovelace', email: 'Ada@example.com' })
    await look()
    received = []
    const at = site.clock.now.toISOString()
    const { id } = await read(reference)
    const event = { lead_id: id, at, who, what, text: 'Hello' }
    for (let times = 0; times < 2; times++) {
      await site.db.insertInto('lead_events').values(event).execute()
      await look()
    }

    const message = { title, body, url: `/inbox/${reference}` }
    expect(received).toMatchObject([message, message])
    // A phone silently replaces a message by one with the same tag.
    expect(received[0]?.tag).not.toBe(received[1]?.tag)
  },
)

test.each([
  ['', '2 files: roof.jpg, plan.pdf'],
  ['A long letter. '.repeat(20), /^A long letter\. .+… 2 files: roof\.jpg, plan\.pdf$/],
])('a phone names the files of a message, whatever else it has: %j', async (text, body) => {
  await subscribe()
  const { id } = await read(await submit({ email: 'ada@example.com' }))
  await look()
  received = []
  const stored = { messageId: '<1@x>', quotes: [], attachments: ['roof.jpg (2 MB)', 'plan.pdf (1 kB)'] }
  const event = {
    lead_id: id,
    at: site.clock.now.toISOString(),
    who: 'ada@example.com',
    what: 'reply',
  } as const
  await site.db
    .insertInto('lead_events')
    .values({ ...event, text, received: JSON.stringify(stored) })
    .execute()
  await look()

  expect(received).toMatchObject([{ body: expect.stringMatching(body) }])
})

test('a phone is told when the time of a follow-up has come, once, with its note', async () => {
  await subscribe()
  const reference = await submit({ firstName: 'Ada', lastName: 'Lovelace' })
  await look()
  received = []
  const at = new Date(site.clock.now.getTime() + 60_000).toISOString()
  for (const [version, note] of ['Ask about the logo.', 'Called, no answer.'].entries())
    await followUp(site.inboxDeps, { reference, version, who: anna, at, note })
  await look()
  expect(received).toEqual([])
  const later = new Date(Date.parse(at) + 60_000).toISOString()
  const wrong = { reference, version: 2, who: anna, at: later, note: 'For somebody else.' }
  await followUp(site.inboxDeps, wrong)
  await undoChange(site.inboxDeps, { reference, version: 3, who: anna })
  site.advanceClock(60_000)
  await look()
  await look()

  const title = 'Follow up with Ada Lovelace'
  expect(received).toMatchObject([{ title, body: 'Called, no answer.', url: `/inbox/${reference}` }])
})

test('without content, a message says only that there is news', async () => {
  await subscribe({ shows_content: 0 })
  const reference = await submit({ firstName: 'Ada', message: 'Secret' })
  await look()
  expect(received).toMatchObject([{ title: 'News in your inbox', body: '' }])
  expect(received[0]?.url).toContain(reference)
})

test('suspected spam is no news, and neither is what came more than ten minutes ago', async () => {
  await subscribe()
  await suspect(await submit())
  await look()
  const { id: lead_id } = await read(await submit())
  const reply = { lead_id, at: site.clock.now.toISOString(), who: 'ada@example.com', what: 'reply' } as const
  await site.db.insertInto('lead_events').values(reply).execute()
  site.advanceClock(10 * 60_000)
  await look()
  expect(received).toEqual([])
})

test('a phone of somebody who is no longer an owner is told nothing', async () => {
  await subscribe({ owner: 'former@agency.example' })
  await submit()
  await look()
  expect(received).toEqual([])
})

testOnce.each([404, 410])('a subscription that has ended (%i) is deleted, and no other', async (gone) => {
  await subscribe()
  await subscribe({ endpoint: url + other, session: 't' })
  status = gone
  await submit()
  await look()
  await look()
  expect([requests, await subscriptions(), received.length]).toEqual([2, 1, 1])
})

testOnce.each([
  [301, 1],
  [400, 1],
  [401, 1],
  [429, 3],
  [500, 3],
])('after a %i, the message is sent %i times in all, and the subscription stays', async (code, times) => {
  await subscribe()
  status = code
  await submit()
  await look()
  expect([requests, await subscriptions()]).toEqual([times, 1])
})

test('doctor and the log name who refuses messages, without the secret address, until one is accepted', async () => {
  await subscribe()
  status = 403
  await submit()
  await look()
  const { host } = new URL(url)
  const [found] = await checkPush(site)
  expect(found).toMatchObject({ state: 'warning', seen: expect.stringContaining(`${host} refuses`) })
  expect(found?.advice).toMatch(/clock.*MAIL_FROM/)
  expect(site.logLines.join()).toContain('"status":403')
  expect(site.logLines.join() + found?.seen).not.toContain('/push/1')
  await look()
  expect(requests).toBe(1)
  status = 201
  await submit()
  await look()

  expect([received.length, await checkPush(site)]).toEqual([1, []])
})

test('if a session expires, its phone is told once, and then nothing of leads, which others are told of', async () => {
  await subscribe()
  site.advanceClock(7 * 24 * 60 * 60_000)
  await subscribe({ endpoint: url + other, session: 't' })
  await submit({ firstName: 'Ada' })
  await look()
  await look()
  expect(received).toMatchObject([
    { title: 'Messages on this device have ended', url: '/inbox/access' },
    { title: expect.stringMatching(/^Ada /) },
  ])
  expect(await subscriptions()).toBe(1)
})

test('a flood is told in one message, which names the first ones', async () => {
  await subscribe()
  for (const firstName of ['Ada', 'Bob', 'Cleo', 'Dan']) await submit({ firstName, budget: '' })
  await look()
  await submit({ firstName: 'Eve' })
  await look()
  await look()
  expect(received).toMatchObject([
    {
      title: 'Much is new in your inbox',
      body: expect.stringMatching(/^Ada .*, no plan; Bob .*/),
      url: '/inbox',
    },
    { title: 'Much is new in your inbox', body: expect.stringMatching(/^Eve /), url: '/inbox' },
  ])
})

test('a key that no browser could have made stops nothing', async () => {
  await subscribe()
  await site.db
    .updateTable('push_subscriptions')
    .set({ p256dh: 'B'.repeat(87) })
    .execute()
  await submit()
  await look()
  expect(requests).toBe(0)
  expect(site.logLines.join()).toContain('push not sent')
})

test('subscriptions end with their session', async () => {
  await subscribe()
  await site.db.deleteFrom('sessions').execute()
  expect(await subscriptions()).toBe(0)
})

const ofMachine = '127.0.0.1 0.0.0.0 255.255.255.255 ::1 :: x'
const ofNetwork = '10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 fe80::1 fd00::1'
const inDisguise = '::ffff:10.0.0.1 64:ff9b::a00:1 2002:a00:1::'

testOnce.each([
  [false, `${ofMachine} ${ofNetwork} ${inDisguise}`],
  [true, '8.8.8.8 142.250.74.10 2a00:1450:4001:80b::200a'],
])('whether messages may go to an address: %s for each of %s', (expected, addresses) => {
  for (const address of addresses.split(' '))
    expect([address, isPublic(address)]).toEqual([address, expected])
})

testOnce.each<[string, string[] | undefined, ((address: string) => boolean)?]>([
  ['https://127.0.0.1', undefined],
  ['https://[::1]', undefined],
  ['https://localhost', undefined],
  ['https://both.example', ['8.8.8.8', '127.0.0.1']],
  // Later, the name may have another address than the one that was checked.
  ['https://localhost', ['127.0.0.2'], () => true],
])(
  'a subscription for %s (with the addresses %j) causes no connection',
  async (host, addresses, mayConnect) => {
    const connected = vi.fn()
    server.on('connection', connected)
    await subscribe({ endpoint: `${host}:${new URL(url).port}/push` })
    const found = addresses?.map((address) => ({ address, family: 4 }))
    if (found) vi.spyOn(dns, 'lookup').mockResolvedValue(found as never)
    syncBuiltinESMExports()
    await submit()
    await look(mayConnect ?? isPublic)
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    expect(connected).not.toHaveBeenCalled()
  },
)
