import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { postRequest } from '../../testing/post-request.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const LIMIT = 5
const FORGED = 10_000
const FEW_FORGED = 300
const PARALLEL = 20
// More than the 100,000 clients that the flood limit remembers. If it remembered all of these, it would use more than
// MAX_MEGABYTES.
const CONTROL_CLIENTS = 300_000
const CLIENTS = 1_000_000
const MAX_MEGABYTES = 64

export const floods: FaultCase[] = [
  {
    family: 'flood',
    fault: `${FORGED} requests with forged forwarding headers, no trusted proxy`,
    expected: `${LIMIT} accepted, exactly the limit`,
    // Not in the short run, because contact-client.sqlite.test.ts checks this, too.
    isLong: true,
    run: () => expectLimit(FORGED, ''),
  },
  {
    family: 'flood',
    fault: `${FORGED} requests with forged forwarding headers, through one trusted proxy (short run: ${FEW_FORGED})`,
    expected: `${LIMIT} accepted, and another visitor still gets through`,
    run: ({ isShort }) => expectLimit(isShort ? FEW_FORGED : FORGED, '1'),
  },
  {
    family: 'flood',
    fault: `one request from each of ${CLIENTS} clients`,
    expected: `the flood limit uses at most ${MAX_MEGABYTES} MB of memory`,
    // Not in the short run, because bounded-store.test.ts checks the bound, too.
    isLong: true,
    async run() {
      const { kept, resident } = await memoryCostOf(CLIENTS)
      const seen = `${kept.toFixed(1)} MB kept (${resident.toFixed()} MB including what V8 has not released)`
      expectThat(kept <= MAX_MEGABYTES, seen)
      return seen
    },
  },
  control({
    what: 'a client with forged forwarding headers cannot exceed its limit',
    weakness: 'trust proxy = true',
    isLong: true,
    async check(weakness) {
      const { accepted } = await forge(FEW_FORGED, '', weakness)
      return accepted === LIMIT ? [] : [`${accepted} accepted`]
    },
  }),
  control({
    what: 'many clients cost little memory',
    weakness: 'an unbounded flood-limit store',
    isLong: true,
    async check(weakness) {
      const { kept } = await memoryCostOf(CONTROL_CLIENTS, weakness)
      return kept <= MAX_MEGABYTES ? [] : [`${kept.toFixed()} MB kept`]
    },
  }),
]

async function expectLimit(requests: number, trustProxy: '' | '1'): Promise<string> {
  const { accepted, stored, isOtherAccepted, statuses } = await forge(requests, trustProxy)
  const seen = `${accepted} of ${requests} accepted, ${stored} stored, responses ${statuses}`
  expectThat(accepted === LIMIT && stored === LIMIT && isOtherAccepted !== false, seen)
  return isOtherAccepted ? `${seen}, another visitor's request accepted` : seen
}

/** Posts as one client that claims a new address each time. With a proxy, a second client posts once at the end. */
async function forge(requests: number, trustProxy: '' | '1', weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start({
    env: { CONTACT_LIMIT: String(LIMIT), TRUST_PROXY: trustProxy },
    ...(weakness && { weakness }),
  })
  const post = async (message: string, headers: Record<string, string>) =>
    (await postRequest(program.url, { message }, headers)).status
  const statuses: number[] = []
  let sent = 0
  const visit = async () => {
    while (sent < requests) statuses.push(await post(`Number ${sent}`, forgedHeaders(sent++, trustProxy)))
  }
  await Promise.all(Array.from({ length: PARALLEL }, visit))
  const stored = await harness.query(async (stored) => (await stored.leads()).length)
  const other = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.8' }
  const isOtherAccepted = trustProxy === '1' ? (await post('From another visitor', other)) === 200 : undefined
  await program.stop()
  const accepted = statuses.filter((status) => status === 200).length
  return { accepted, stored, isOtherAccepted, statuses: [...new Set(statuses)].sort().join(' and ') }
}

function forgedHeaders(number: number, trustProxy: string): Record<string, string> {
  const address =
    number % 2 ? [...randomBytes(4)].join('.') : `2001:db8:${randomBytes(2).toString('hex')}::${number}`
  // The trusted proxy appends the address it sees.
  const forwarded = trustProxy ? `${address}, 10.0.0.1, 198.51.100.7` : address
  return {
    'X-Forwarded-For': forwarded,
    'X-Real-IP': address,
    'X-Client-IP': address,
    'X-Cluster-Client-IP': address,
    'CF-Connecting-IP': address,
    'True-Client-IP': address,
    'Fastly-Client-IP': address,
    Forwarded: `for="${address}";proto=https`,
    Via: `1.1 ${address}`,
  }
}

/** Measures, in a separate process, how many megabytes the flood limit uses for that many clients. */
async function memoryCostOf(clients: number, weakness?: Weakness) {
  const program = join(import.meta.dirname, '../floods/many-clients.ts')
  const options = ['--expose-gc', ...(weakness ? weakenedBy(weakness) : []), program, String(clients)]
  const { stdout } = await promisify(execFile)(process.execPath, options)
  return JSON.parse(stdout) as { kept: number; resident: number }
}
