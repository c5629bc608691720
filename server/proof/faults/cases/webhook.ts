import { hang, openReceiver, type Receiver, webhookSecret } from '../../testing/receiver.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const POSTS = 5
const CATCH_UP_MS = 30_000

type Outage = { how: string; begin: (receiver: Receiver, other: Receiver) => void | Promise<void> }

const redirect: Outage = {
  how: 'redirects',
  begin: (receiver, other) =>
    receiver.respondWith((response) => response.writeHead(307, { Location: other.url }).end()),
}
const killed: Outage = {
  how: 'hangs until the server is killed',
  begin: (receiver) => receiver.respondWith(hang),
}
const answers500: Outage = { how: '500', begin: (receiver) => receiver.respondWith(500) }
const lastOutages = [redirect, killed, answers500]
const outages: Outage[] = [
  { how: 'refuses connections', begin: (receiver) => receiver.close() },
  { how: '410', begin: (receiver) => receiver.respondWith(410) },
  { how: '429', begin: (receiver) => receiver.respondWith(429) },
  { how: 'hangs up', begin: (receiver) => receiver.respondWith((response) => response.destroy()) },
  { how: 'hangs', begin: (receiver) => receiver.respondWith(hang) },
  ...lastOutages,
]

export const webhook: FaultCase[] = [
  {
    family: 'webhook',
    fault: `the webhook is down for an hour: ${outages.map(({ how }) => how).join(', ')}`,
    expected:
      'emails are on time; once the webhook works again, it gets each lead once, signed, and with the same id in every attempt',
    // Not in the short run, because post-lead.test.ts checks this, too.
    isLong: true,
    run: () => surviveOutages(outages),
  },
  ...(
    [
      ['each lead arrives', 'the webhook request follows redirects'],
      ['each lead arrives', 'any response to the webhook request counts as success'],
      ['each lead arrives', 'emails are marked as sent before they are sent'],
    ] satisfies [string, Weakness][]
  ).map(([what, weakness]) =>
    control({
      what,
      weakness,
      isLong: true,
      check: (weakness) => faultsOf(surviveOutages(lastOutages, weakness)),
    }),
  ),
]

async function surviveOutages(stages: readonly Outage[], weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using receiver = await openReceiver()
  await using other = await openReceiver()
  const env = { LEAD_WEBHOOK_URL: receiver.url, LEAD_WEBHOOK_SECRET: webhookSecret }
  const start = () => harness.start({ env, ...(weakness && { weakness }) })
  let program: Awaited<ReturnType<typeof start>> | undefined
  for (const { how, begin } of stages) {
    await program?.stop('SIGKILL')
    if (program) await harness.query((stored) => stored.expireLeases())
    if (receiver.isClosed()) await receiver.reopen()
    await begin(receiver, other)
    const before = {
      attempts: program ? await countAttempts(harness) : 0,
      requests: receiver.requests.length,
    }
    program = await start()
    for (let count = 0; count < POSTS; count++) await harness.client.post(program.url)
    await waitUntil(
      `the emails are sent (${how})`,
      () => harness.relay.emails.length >= harness.client.entries.length,
    )
    const isTried = async () =>
      how === killed.how
        ? receiver.requests.length > before.requests
        : (await countAttempts(harness)) > before.attempts
    await waitUntil(`a post is attempted (${how})`, isTried)
    expectThat(other.requests.length === 0, 'a redirect was followed')
  }
  if (!program) throw new Error('There is no outage.')
  receiver.respondWith(204)
  await makeDue(harness)
  await harness.client.post(program.url)
  const tookMs = await waitUntil(
    'every lead has arrived',
    () => new Set(receiver.accepted.map(({ reference }) => reference)).size >= harness.client.entries.length,
    CATCH_UP_MS,
  )
  await program.stop()
  const faults = findFaults(harness, receiver)
  expectThat(faults.length === 0, faults.join('; '))
  return `${receiver.accepted.length} posts ${(tookMs / 1000).toFixed(1)} s after the webhook worked again; ${await harness.verify()}`
}

function findFaults({ client }: Harness, { requests, accepted }: Receiver): string[] {
  const sent = client.acknowledged().map(({ reference = '' }) => reference)
  const arrived = accepted.map(({ reference }) => reference)
  return [
    ...(sent.every((reference) => arrived.includes(reference)) ? [] : ['a lead is missing']),
    ...(arrived.length === sent.length ? [] : [`${arrived.length} posts of ${sent.length} leads`]),
    ...(requests.every(({ isSigned }) => isSigned) ? [] : ['a signature is wrong']),
    ...(new Set(requests.map(({ id, reference }) => `${id} ${reference}`)).size === sent.length
      ? []
      : ['a lead has several ids']),
  ]
}

const countAttempts = (harness: Harness) =>
  harness.query((stored) =>
    stored.count("from outbox_attempts join outbox on outbox.id = outbox_id where kind = 'webhook'"),
  )

/** Makes the next attempts due, as if the server had waited for them. */
const makeDue = (harness: Harness) =>
  harness.query((stored) =>
    stored.db
      .updateTable('outbox')
      .set({ due_at: new Date().toISOString() })
      .where('kind', '=', 'webhook')
      .where('state', '=', 'queued')
      .execute(),
  )
