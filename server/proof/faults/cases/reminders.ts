import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { type OwnerClient, openOwnerClient } from '../owner-client.ts'
import { setClock } from '../timeline.ts'
import { randomItem } from '../unreliable-relay.ts'

const LEADS = 300
const KILLS = 8
const FEW_LEADS = 30
const FEW_KILLS = 3
const POSTS_AT_ONCE = 20
const KILLED_WITHIN_MS = 1500
const WAIT_MS = 60_000
// A Monday. Replies to requests sent at 10:00 are due at 14:00, so the program sends reminders from 13:00 on.
const REQUESTED = '2026-03-02T10:00Z'
// What the clock shows at each start: the right time, or a time after a jump of an hour or a day.
const CLOCKS = ['02T13:05', '02T13:20', '02T12:05', '03T13:10', '01T13:10', '02T13:30']

const what = 'each open lead gets exactly one reminder, and an answered one gets none after its answer'

export const reminders: FaultCase[] = [
  {
    family: 'reminders',
    fault: `${LEADS} leads, random answers, ${2 * KILLS} kills, clock jumps, and a mail server that is down for a while`,
    expected: what,
    needs: ['faketime'],
    // Not in the short run, because reminders.test.ts checks this, too, except for kills.
    isLong: true,
    async run() {
      const { found, seen } = await remindOfMany(LEADS, KILLS)
      expectThat(found.length === 0, found.join('; '))
      return seen
    },
  },
  ...(
    [
      'reminders in the queue are sent, whatever has happened to the lead',
      'reminders are queued without looking for earlier ones',
    ] as const
  ).map((weakness) =>
    control({
      what,
      weakness,
      needs: ['faketime'],
      isLong: true,
      check: async (removed) => (await remindOfMany(FEW_LEADS, FEW_KILLS, removed)).found,
    }),
  ),
]

type Scene = { harness: Harness; owner: OwnerClient; open: Set<string>; start: (time: string) => Started }
type Started = ReturnType<Harness['start']>

async function remindOfMany(leads: number, kills: number, weakness?: Weakness) {
  using folder = newDataDir()
  await using harness = await openHarness()
  const start = startAt(join(folder.path, 'clock'), harness, weakness)

  const first = await start(REQUESTED)
  const owner = await openOwnerClient(harness, first.url)
  for (let posted = 0; posted < leads; posted += POSTS_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(POSTS_AT_ONCE, leads - posted) }, () => harness.client.post(first.url)),
    )
  await waitUntil('all notices are sent', () => isIdle(harness), WAIT_MS)
  const references = harness.client.acknowledged().map(({ reference = '' }) => reference)
  const scene: Scene = { harness, owner, open: new Set(references), start }
  await answerSome(scene, first.url, leads / 6)
  await first.stop()

  harness.relay.misbehave('mail', '450 4.3.0 later')
  for (let kill = 0; kill < kills; kill++) await answerAndKill(scene, clockAt(kill), leads / 3 / kills)
  const answeredWhileDown = await settle(scene, references)
  harness.relay.heal()
  for (let kill = 0; kill < kills; kill++) await answerAndKill(scene, clockAt(kill), leads / 6 / kills)
  await settle(scene, references)
  for (const time of ['2026-03-02T13:45Z', '2027-03-02T13:45Z', '2026-03-02T13:55Z']) await runAt(scene, time)

  const found = await findFaults(scene, { references, answeredWhileDown })
  const sent = new Set(remindersIn(harness).map(({ messageId }) => messageId)).size
  const seen = `${2 * kills} kills, ${references.length - scene.open.size} of ${references.length} leads answered, ${answeredWhileDown.size} of them before the mail server was up; ${sent} reminders`
  return { found, seen }
}

const clockAt = (round: number) => `2026-03-${CLOCKS[round % CLOCKS.length]}Z`

/** Returns a function that starts the program with its clock set to a local time at the office. */
const startAt = (clock: string, harness: Harness, weakness?: Weakness) => (time: string) => {
  const { env } = setClock(clock, time)
  return harness.start({ env, ...(weakness && { weakness }) })
}

/** Marks random leads as answered. If a request gets no response, its lead stays in `open`. */
async function answerSome({ owner, open }: Scene, url: string, count: number) {
  for (let answered = 0; answered < count && open.size > 0; answered++) {
    const reference = randomItem([...open])
    if (await owner.mark(url, reference, 'answered')) open.delete(reference)
  }
}

async function answerAndKill(scene: Scene, time: string, answers: number) {
  const { harness, start } = scene
  await harness.query((stored) => stored.makeQueuedDue())
  const program = await start(time)
  const answering = answerSome(scene, program.url, answers)
  await sleep(Math.random() * KILLED_WITHIN_MS)
  await program.stop('SIGKILL')
  await answering
}

/** Removes from `open` the leads whose request got no response but was processed. Returns all answered leads. */
async function settle({ harness, open }: Scene, references: readonly string[]): Promise<Set<string>> {
  const leads = await harness.query(({ db }) =>
    db.selectFrom('leads').select(['reference', 'state']).execute(),
  )
  for (const { reference, state } of leads) if (state !== 'open') open.delete(reference)
  return new Set(references.filter((reference) => !open.has(reference)))
}

/** Runs the program until no email is waiting. */
async function runAt({ harness, start }: Scene, time: string) {
  await harness.query((stored) => stored.makeQueuedDue())
  const program = await start(time)
  // The reminder job runs when the program starts. Give it time to queue its emails.
  await sleep(1000)
  await waitUntil(`no email waits at ${time}`, () => isIdle(harness), WAIT_MS)
  await program.stop()
}

const isIdle = async (harness: Harness) => (await harness.query((stored) => stored.waitingEmails())) === 0

const remindersIn = ({ relay }: Harness) =>
  relay.emails.filter(({ messageId }) => messageId.includes('-reminder.'))

type Expected = { references: readonly string[]; answeredWhileDown: Set<string> }

async function findFaults({ harness, open }: Scene, { references, answeredWhileDown }: Expected) {
  const stored = await harness.query(({ db }) => db.selectFrom('leads').select(['id', 'reference']).execute())
  const rows = await harness.query(({ db }) =>
    db.selectFrom('outbox').select('lead_id').where('kind', '=', 'reminder').execute(),
  )
  const emails = remindersIn(harness)
  const idOf = new Map(stored.map(({ id, reference }) => [reference, id]))
  const faults = references.flatMap((reference) => {
    const id = String(idOf.get(reference))
    const count = new Set(
      emails.filter(({ messageId }) => messageId.startsWith(`<${id}-`)).map(({ messageId }) => messageId),
    ).size
    const queued = rows.filter(({ lead_id }) => lead_id === id).length
    return [
      ...(open.has(reference) && count === 0 ? ['an open lead without a reminder'] : []),
      ...(answeredWhileDown.has(reference) && count > 0 ? ['a reminder after the answer'] : []),
      ...(queued > 1 ? [`${queued} reminders of one lead`] : []),
    ]
  })
  return [...Map.groupBy(faults, (fault) => fault)].map(([fault, { length }]) => `${length} x ${fault}`)
}
