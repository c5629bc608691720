import { setTimeout as sleep } from 'node:timers/promises'
import { preparePostgres } from '../../../database/postgres.ts'
import { postRequest } from '../../testing/contact.ts'
import { runSql } from '../../testing/postgres.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const REPLICAS = 3
// Two replicas are enough to compete for a lock.
const COMPETING = 2
const VISITORS = 6
const KILL_EVERY_MS = 1000
const KILLS = 60
const SHORT_KILLS = 1
// This is long because, even without locks, two replicas rarely claim the same email.
const CONTROL_LOAD_MS = 15_000
const CHECK_CLAIMS_EVERY_MS = 250
// A replica's lease on an email lasts 7 minutes. After that, another replica has to find the email (it polls twice a second) and
// send it.
const LEASE_OVER_MS = 440_000
const LIMIT = 5
const AT_ONCE = 60

export const replicas: FaultCase[] = [
  {
    family: 'replicas',
    fault: `${REPLICAS} replicas on one PostgreSQL under load, one killed per second, ${KILLS} times (short run: ${SHORT_KILLS})`,
    expected:
      'no acknowledged lead is lost or duplicated, each email is sent, and none is claimed twice during a lease',
    needs: ['postgres'],
    run: killReplicas,
  },
  {
    family: 'replicas',
    fault: `${AT_ONCE} simultaneous requests from one client, spread over ${COMPETING} replicas`,
    expected: `exactly ${LIMIT} requests, the limit, are accepted`,
    needs: ['postgres'],
    isLong: true,
    async run() {
      const found = await exceedLimit()
      expectThat(found.length === 0, found.join('; '))
      return `${LIMIT} accepted and stored`
    },
  },
  control({
    what: 'no email is claimed twice during its lease',
    weakness: 'claims are not locked',
    needs: ['postgres'],
    isLong: true,
    check: loadReplicas,
  }),
  control({
    what: "a client's rate limit applies across replicas",
    weakness: 'requests take no locks',
    isLong: true,
    needs: ['postgres'],
    check: exceedLimit,
  }),
]

async function killReplicas({ isShort }: { isShort: boolean }): Promise<string> {
  await using harness = await openHarness({ database: 'postgres' })
  await watchClaims(harness)
  const programs = await startReplicas(harness, REPLICAS)
  // The restarts in progress: a replica may be killed while another one is still starting.
  const starting: Promise<void>[] = []
  let isOver = false
  const load = harness.client.visit(
    () => anyOf(programs).url,
    VISITORS,
    () => isOver,
  )
  const kills = isShort ? SHORT_KILLS : KILLS
  const startedAt = performance.now()
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.max(0, startedAt + (kill + 1) * KILL_EVERY_MS - performance.now()))
    const index = kill % REPLICAS
    await starting[index]
    await programs[index]?.stop('SIGKILL')
    starting[index] = harness.start().then((program) => {
      programs[index] = program
    })
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  await Promise.all(starting)
  isOver = true
  await load
  // A long run waits for the leases to expire. In a short run, `recoverAndVerify` ends them early.
  if (!isShort) await waitUntil('every email is sent', () => isAllSent(harness), LEASE_OVER_MS)
  for (const program of programs) await program.stop()
  const found = await claimedTwice(harness)
  expectThat(found.length === 0, found.join())
  const claims = await harness.query((stored) => stored.count('from claims'))
  return `${kills} kills in ${seconds} s; ${claims} claims, none of an email that was still leased; ${await harness.recoverAndVerify()}`
}

/** Posts to every replica while all of them claim emails. Returns a fault if an email was claimed twice during a lease. */
async function loadReplicas(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness({ database: 'postgres' })
  await watchClaims(harness)
  const programs = await startReplicas(harness, REPLICAS, { weakness })
  const endsAt = performance.now() + CONTROL_LOAD_MS
  let faults: string[] = []
  const isOver = () => faults.length > 0 || performance.now() > endsAt
  const load = harness.client.visit(() => anyOf(programs).url, VISITORS, isOver)
  while (!isOver()) {
    await sleep(CHECK_CLAIMS_EVERY_MS)
    faults = await claimedTwice(harness)
  }
  await load
  return faults
}

/** One client posts to all replicas in parallel. Returns a fault unless exactly `LIMIT` requests are accepted. */
async function exceedLimit(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness({ database: 'postgres' })
  const env = { CONTACT_LIMIT: String(LIMIT) }
  const programs = await startReplicas(harness, COMPETING, { env, weakness })
  const post = (_: unknown, index: number) =>
    postRequest(programs[index % COMPETING]?.url ?? '', { message: `Number ${index}` })
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, post))
  const accepted = answers.filter(({ status }) => status === 200).length
  const stored = (await harness.query((database) => database.leads())).length
  return accepted === LIMIT && stored === LIMIT ? [] : [`${accepted} accepted, ${stored} stored`]
}

const anyOf = <Item>(items: readonly Item[]) => items[Math.floor(Math.random() * items.length)] as Item

const startReplicas = (harness: Harness, count: number, start?: Parameters<Harness['start']>[0]) =>
  Promise.all(Array.from({ length: count }, () => harness.start(start)))

/**
 * Makes the database record each claim, together with the email's state just before it. Records the time as a second later
 * than it was, so that a claim right after a lease doesn't count as one during it: the clocks of two replicas may differ by
 * that much.
 */
async function watchClaims({ settings: { DATABASE_URL = '' } }: Harness) {
  await (await preparePostgres(DATABASE_URL)).destroy()
  await runSql(
    DATABASE_URL,
    'create table claims (at text collate "C", state text, due_at text collate "C")',
    `create function note_claim() returns trigger language plpgsql as $$ begin
      insert into claims values
        (to_char((clock_timestamp() + interval '1 second') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), old.state, old.due_at);
      return new;
    end $$`,
    `create trigger noted before update on outbox for each row when (new.attempts > old.attempts)
      execute function note_claim()`,
  )
}

async function claimedTwice(harness: Harness): Promise<string[]> {
  const twice = await harness.query((stored) =>
    stored.count("from claims where state = 'sending' and due_at > at"),
  )
  return twice === 0 ? [] : [`${twice} emails claimed twice during a lease`]
}

const isAllSent = async (harness: Harness) => (await harness.query((stored) => stored.waitingEmails())) === 0
