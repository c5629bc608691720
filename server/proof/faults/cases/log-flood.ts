import { contactPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Program } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import type { DatabaseKind } from '../options.ts'

type HostileRequest = [path: string, body?: string | undefined, cookies?: string]
type Flood = {
  requests: number
  maxKilobytes: number
  database?: DatabaseKind
  /** Sends the request with this number. */
  send: (program: Program, number: number) => Promise<Response>
}

const PARALLEL = 20
const NOTICE_MS = 60_000

const idle = [
  { method: 'OPTIONS', path: contactPath },
  { method: 'GET', path: '/nope' },
  { method: 'GET', path: contactPath },
  { method: 'PUT', path: '/' },
  { method: 'DELETE', path: contactPath },
  // Each method with lines of its own would fill the log.
  ...['COPY', 'LINK', 'LOCK', 'MOVE', 'PROPFIND', 'PURGE', 'SEARCH', 'UNLOCK'].map((method) => ({
    method,
    path: '/',
  })),
  { method: 'POST', path: contactPath },
]
const idleFlood: Flood = {
  requests: 2000,
  maxKilobytes: 50,
  send({ url }, number) {
    const { method, path } = idle[number % idle.length] ?? {}
    return fetch(url + path, { ...(method && { method }) })
  },
}

const passkey = (id: string) =>
  JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    response: { clientDataJSON: id, authenticatorData: id, signature: id },
  })
const token = 'A'.repeat(43)
const hostile: HostileRequest[] = [
  [contactPath, JSON.stringify(sampleRequest({ message: 'a\0b' }))],
  [contactPath, JSON.stringify(sampleRequest({ lastName: '\ud800' }))],
  [contactPath, '{"firstName":'],
  [`${apiPath}/sign-in`, JSON.stringify({ email: '\0' })],
  [`${apiPath}/sign-in`, '['],
  [`${apiPath}/sign-in/code`, JSON.stringify({ code: 'AAAA-AAAA' }), `inbox-sign-in=${token}.${token}`],
  [`${apiPath}/sign-in/code`, JSON.stringify({ code: '\0' }), 'inbox-sign-in=%00'],
  [`${apiPath}/sign-in/link`, JSON.stringify({ token: '\0' })],
  [`${apiPath}/sign-in/passkey`, passkey('\0')],
  [`${apiPath}/sign-in/passkey`, passkey('a\0\ud800')],
  [`${apiPath}/session`, undefined, `inbox-session=%00; inbox-known=${'~.'.repeat(500)}`],
  [`${apiPath}/leads/%00`, undefined, 'inbox-session=a'],
  ['/%00?after=%00'],
]
const hostileFlood: Flood = {
  requests: 10_000,
  maxKilobytes: 100,
  // SQLite accepts NUL.
  database: 'postgres',
  send({ url }, number) {
    const [path, body, Cookie = ''] = hostile[number % hostile.length] ?? ['/']
    return fetch(url + path, {
      headers: {
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        // Many networks, because the flood limit would soon reject the requests of one.
        'X-Forwarded-For': `40.${number % 250}.0.1`,
        Cookie,
      },
      ...(body !== undefined && { method: 'POST', body }),
    })
  },
}

export const logFlood: FaultCase[] = [
  {
    family: 'flood',
    fault: `${idleFlood.requests} requests that store nothing`,
    expected: `at most ${idleFlood.maxKilobytes} kB of log`,
    isLong: true,
    run: () => expectShortLog(idleFlood),
  },
  {
    family: 'flood',
    fault: `${hostileFlood.requests} requests with NULs, broken JSON, broken cookies and wrong codes`,
    expected: `no 5xx and at most ${hostileFlood.maxKilobytes} kB of log; a lead is stored meanwhile, and its notice sent within ${NOTICE_MS / 1000} s`,
    needs: ['postgres'],
    isLong: true,
    run: () => expectShortLog(hostileFlood),
  },
  control({
    what: 'requests that store nothing do not fill the log',
    weakness: 'a log line for each request',
    isLong: true,
    check: async (weakness) => (await sendAll(idleFlood, weakness)).found,
  }),
  control({
    what: 'hostile requests do not fill the log',
    weakness: 'NULs reach the database, and each failed request has a log line',
    needs: ['postgres'],
    isLong: true,
    check: async (weakness) => (await sendAll(hostileFlood, weakness)).found,
  }),
]

async function expectShortLog(flood: Flood): Promise<string> {
  const { found, seen } = await sendAll(flood)
  expectThat(found.length === 0, found.join('; '))
  return seen
}

/** Sends all requests, and halfway an honest one. Returns what is wrong, and what was seen. */
async function sendAll({ requests, maxKilobytes, send, database }: Flood, weakness?: Weakness) {
  await using harness = await openHarness(database && { database })
  const program = await harness.start({ env: { TRUST_PROXY: '1' }, ...(weakness && { weakness }) })
  const startedAt = performance.now()
  const statuses = new Map<number, number>()
  let honest: Promise<string[]> | undefined
  let sent = 0
  const visit = async () => {
    while (sent < requests) {
      if (sent === requests / 2) honest = faultsOf(sendHonest(harness, program))
      const response = await send(program, sent++)
      await response.text()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, visit))
  const found = (await honest) ?? ['no honest lead was sent']
  const seconds = (performance.now() - startedAt) / 1000
  await program.stop()

  const kilobytes = program.lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / 1000
  if (kilobytes > maxKilobytes) found.push(`${kilobytes.toFixed()} kB of log`)
  const failed = [...statuses].filter(([status]) => status >= 500)
  if (failed.length > 0) found.push(failed.map(([status, count]) => `${count} x ${status}`).join(', '))
  const counts = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  return { found, seen: `${kilobytes.toFixed(1)} kB in ${seconds.toFixed()} s, ${counts}` }
}

async function sendHonest({ client, query, relay }: Harness, { url }: Program) {
  const { reference } = await client.post(url)
  if (!reference) throw new Error('the honest lead is refused')
  const isNoticed = () => relay.emails.some(({ text }) => text.includes(reference))
  await waitUntil('the notice of the honest lead is sent', isNoticed, NOTICE_MS)
  const leads = await query((stored) => stored.leads())
  // A NUL in a message is only removed, so the hostile requests with one are honest leads, too: the same one each time.
  if (leads.length > 2 || !leads.some((lead) => lead.reference === reference))
    throw new Error(`${leads.length} leads are stored`)
}
