import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { preparePostgres } from '../../../database/postgres/open-postgres.ts'
import { runSql } from '../../testing/create-database.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openTrial, type Trial } from '../trial.ts'
import { duplicates } from '../verify.ts'
import { mailAgain } from './kills.ts'

const COPIES = 3
const VISITORS = 6
const KILL_EVERY_MS = 1000
const KILLS = 60
const SHORT_KILLS = 5
const CONTROL_LOAD_MS = 3000
// What a killed copy had in hand is anybody's after 2 minutes; then the next look (5 s) and the sending.
const LEASE_OVER_MS = 140_000
const LIMIT = 5
const AT_ONCE = 60

export const copies: FaultCase[] = [
  {
    family: 'copies',
    fault: `${COPIES} copies on one PostgreSQL under load, one killed each second, ${KILLS} times (short form ${SHORT_KILLS})`,
    expected:
      'nothing acknowledged is lost or double, each mail at least once, none claimed twice in its lease',
    needs: ['postgres'],
    run: killCopies,
  },
  {
    family: 'copies',
    fault: `${AT_ONCE} requests of one client at once, spread over ${COPIES} copies`,
    expected: `${LIMIT} accepted: not one more than the limit`,
    needs: ['postgres'],
    async run() {
      const found = await exceedAtCopies()
      expectThat(found.length === 0, found.join('; '))
      return `${LIMIT} accepted and stored`
    },
  },
  {
    family: 'copies',
    fault: `${AT_ONCE} times the same request with one key, or with none, spread over ${COPIES} copies`,
    expected: 'one lead each, every answer the same',
    needs: ['postgres'],
    run: repeatAtCopies,
  },
  {
    family: 'copies',
    fault: "a copy killed between the mail server's 250 and the mark",
    expected: 'mailed again by another once its lease is over, the same bytes under the same Message-ID',
    needs: ['postgres'],
    run: () => mailAgain('postgres'),
  },
]

async function killCopies({ isShort }: { isShort: boolean }): Promise<string> {
  await using trial = await openTrial({ database: 'postgres' })
  await watchClaims(trial)
  const programs = await startCopies(trial)
  // The next one is killed while the last one starts, as it falls.
  const starting: Promise<void>[] = []
  let isOver = false
  const load = visitAll(
    trial,
    () => anyOf(programs).url,
    () => isOver,
  )
  const kills = isShort ? SHORT_KILLS : KILLS
  const startedAt = performance.now()
  for (let kill = 0; kill < kills; kill++) {
    await sleep(Math.max(0, startedAt + (kill + 1) * KILL_EVERY_MS - performance.now()))
    const index = kill % COPIES
    await starting[index]
    await programs[index]?.stop('SIGKILL')
    starting[index] = trial.start().then((program) => {
      programs[index] = program
    })
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  await Promise.all(starting)
  isOver = true
  await load
  // The long form waits for the leases of the killed, as one does; the short one lets that time pass.
  if (!isShort) await waitUntil('every mail has left', () => isAllSent(trial), LEASE_OVER_MS)
  for (const program of programs) await program.stop()
  const found = await claimedTwice(trial)
  expectThat(found.length === 0, found.join())
  const claims = await trial.ask((stored) => stored.count('from claims'))
  return `${kills} kills in ${seconds} s, ${claims} claims, 0 of them in another's lease; ${await trial.recoverAndVerify()}`
}

/** Requests at every copy, their mails claimed by all of them. Returns what was claimed twice. */
export async function loadAtCopies(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial({ database: 'postgres' })
  await watchClaims(trial)
  const programs = await startCopies(trial, weakness && { weakness })
  const startedAt = performance.now()
  await visitAll(
    trial,
    () => anyOf(programs).url,
    () => performance.now() - startedAt > CONTROL_LOAD_MS,
  )
  return claimedTwice(trial)
}

/** What more than the limit got through, where one client asks all copies at once. */
export async function exceedAtCopies(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial({ database: 'postgres' })
  const env = { CONTACT_LIMIT: String(LIMIT) }
  const programs = await startCopies(trial, { env, ...(weakness && { weakness }) })
  const answers = await atOnce((index) => post(programs[index % COPIES]?.url, `Number ${index}`))
  const accepted = answers.filter(({ status }) => status === 200).length
  const stored = (await trial.ask((database) => database.leads())).length
  return accepted === LIMIT && stored === LIMIT ? [] : [`${accepted} accepted, ${stored} stored`]
}

async function repeatAtCopies(): Promise<string> {
  await using trial = await openTrial({ database: 'postgres' })
  const programs = await startCopies(trial)
  for (const headers of [{ 'Idempotency-Key': 'one' }, {}]) {
    const message = `Always the same, ${Object.keys(headers).length}`
    const answers = await atOnce((index) => post(programs[index % COPIES]?.url, message, headers))
    const different = new Set(answers.map(({ status, text }) => `${status} ${text}`))
    expectThat(different.size === 1, [...different].join(' and '))
  }
  const leads = await trial.ask((stored) => stored.leads())
  expectThat(leads.length === 2 && duplicates(leads).length === 0, `${leads.length} leads`)
  return `${AT_ONCE} equal answers and one lead, twice`
}

const startCopies = (trial: Trial, start?: Parameters<Trial['start']>[0]) =>
  Promise.all(Array.from({ length: COPIES }, () => trial.start(start)))

const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item

/** As behind a load balancer: who gets no answer, or a 503, asks again, and perhaps another copy. */
function visitAll(trial: Trial, url: () => string, isOver: () => boolean) {
  const visit = async () => {
    while (!isOver()) {
      const entry = await trial.ledger.post(url())
      while (entry.reference === undefined && !isOver()) {
        await sleep(50)
        await trial.ledger.repeat(url(), entry)
      }
    }
  }
  return Promise.all(Array.from({ length: VISITORS }, visit))
}

const atOnce = <Answer>(ask: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => ask(index)))

async function post(url: string | undefined, message: string, headers = {}) {
  const response = await fetch(url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(sampleRequest({ message })),
  })
  return { status: response.status, text: await response.text() }
}

/** The database itself notes each claim, and how the mail stood before it. */
async function watchClaims({ place: { DATABASE_URL = '' } }: Trial) {
  await (await preparePostgres(DATABASE_URL)).destroy()
  await runSql(
    DATABASE_URL,
    'create table claims (at text collate "C", state text, due_at text collate "C")',
    `create function note_claim() returns trigger language plpgsql as $$ begin
      insert into claims values
        (to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), old.state, old.due_at);
      return new;
    end $$`,
    `create trigger noted before update on outbox for each row when (new.attempts > old.attempts)
      execute function note_claim()`,
  )
}

async function claimedTwice(trial: Trial): Promise<string[]> {
  const twice = await trial.ask((stored) =>
    stored.count("from claims where state = 'sending' and due_at > at"),
  )
  return twice === 0 ? [] : [`${twice} mails claimed twice while their lease held`]
}

const isAllSent = async (trial: Trial) => (await trial.ask((stored) => stored.waitingMails())) === 0
