import { setTimeout as sleep } from 'node:timers/promises'
import { fillDatabase } from '../../testing/fill-database.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const WAITING = 10_000
const FEW_WAITING = 300
const MAX_BETWEEN = 500
const FEW_MAX_BETWEEN = 100
const GREETING_MS = 100
const SLOW_MS = 1_500
const RECEIPTS = 16
const SETTLE_MS = 1_000

export const backlog: FaultCase[] = [
  {
    family: 'backlog',
    fault: `a new lead while ${WAITING} emails wait`,
    expected: 'the notice of the new lead is among the next emails to be sent',
    isSqliteOnly: true,
    // Not in the short run, because order.test.ts checks this, too.
    isLong: true,
    run: () => overtake(WAITING, 'due', GREETING_MS, MAX_BETWEEN),
  },
  {
    family: 'backlog',
    fault: `a new lead while 1000 emails about suspected spam wait for a mail server that takes ${SLOW_MS} ms for each`,
    expected: 'the notice of the new lead is among the next emails to be sent',
    isSqliteOnly: true,
    // Not in the short run, because order.test.ts and parallel-sends.test.ts check this, too.
    isLong: true,
    run: () => overtake(1_000, 'suspects', SLOW_MS, 20),
  },
  {
    family: 'backlog',
    fault: `a new lead while ${RECEIPTS} receipts hang at RCPT`,
    expected: "the notice of the new lead doesn't wait for the receipts",
    isLong: true,
    run: () => hangReceipts(),
  },
  {
    family: 'backlog',
    fault: 'a mail server that replies 45 s after the final dot',
    expected: 'one attempt and one email',
    isLong: true,
    run: () => answerLate(),
  },
  control({
    what: "a new lead's notice overtakes the backlog",
    weakness: 'emails are sent in the order in which they were queued',
    isLong: true,
    isSqliteOnly: true,
    check: (weakness) => faultsOf(overtake(FEW_WAITING, 'due', GREETING_MS, FEW_MAX_BETWEEN, weakness)),
  }),
  control({
    what: "a notice doesn't wait for receipts",
    weakness: 'receipts wait in the same queue as notices to owners',
    isSqliteOnly: true,
    isLong: true,
    check: (weakness) => faultsOf(hangReceipts(weakness)),
  }),
  control({
    what: 'the server waits for a late reply to the final dot',
    weakness: 'a 30 s timeout after the final dot',
    isSqliteOnly: true,
    isLong: true,
    check: (weakness) => faultsOf(answerLate(weakness)),
  }),
]

/** Posts a lead during a backlog. Expects at most `maxBetween` emails between the POST and the lead's notice. */
async function overtake(
  waiting: number,
  emails: 'due' | 'suspects',
  delayMs: number,
  maxBetween: number,
  weakness?: Weakness,
) {
  using filled = await fillDatabase(waiting, emails)
  await using harness = await openHarness({ givenDir: filled.path })
  delayGreeting(harness, delayMs)
  const program = await harness.start(weakness && { weakness })
  await waitUntil('the first emails are sent', () => harness.relay.emails.length >= 4)
  const entry = await harness.client.post(program.url)
  const before = harness.relay.emails.length
  const postedAt = performance.now()
  const isEmailed = () => harness.relay.emails.some(({ reference }) => reference === entry.reference)
  await waitUntil('the notice of the new lead is sent', isEmailed)
  const tookMs = performance.now() - postedAt
  const between = harness.relay.emails.length - before
  expectThat(between <= maxBetween, `${between} emails were sent before the notice`)
  await program.stop()
  return `after ${tookMs.toFixed()} ms and ${between} other emails`
}

/** Delays the mail server's greeting, as some real servers do while they check the client. */
function delayGreeting({ relay }: Harness, milliseconds: number) {
  relay.misbehave('connect', async () => {
    await sleep(milliseconds)
    return relay.usual.connect
  })
  // To simulate a slow server, delay each email, too: emails share connections, and only the first one waits for a greeting.
  if (milliseconds > GREETING_MS)
    relay.misbehave('mail', async () => {
      await sleep(milliseconds)
      return relay.usual.mail
    })
}

async function hangReceipts(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('rcpt', (_socket, line) =>
    line.includes('visitor') ? undefined : harness.relay.usual.rcpt,
  )
  const program = await harness.start({ env: { VISITOR_RECEIPT: 'on' }, ...(weakness && { weakness }) })
  for (let count = 0; count < RECEIPTS; count++)
    await harness.client.post(program.url, { email: `visitor${count}@example.com` })
  await waitUntil('the receipts hang', () =>
    harness
      .query((stored) => stored.count("from outbox where kind = 'visitor_receipt' and state = 'sending'"))
      .then((count) => count > 0),
  )
  // As many as may hang at the same time.
  await sleep(SETTLE_MS)
  const entry = await harness.client.post(program.url, { email: 'visitor-last@example.com' })
  const took = await waitUntil('the notice is sent', () =>
    harness.relay.emails.some(({ reference }) => reference === entry.reference),
  )
  await program.stop('SIGKILL')
  return `after ${took.toFixed()} ms`
}

async function answerLate(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('dot', async () => {
    await sleep(45_000)
    return harness.relay.usual.dot
  })
  const program = await harness.start(weakness && { weakness })
  await harness.client.post(program.url)
  await waitUntil(
    'the email is recorded as sent',
    async () => (await harness.query((stored) => stored.waitingEmails())) === 0,
    60_000,
  )
  const attempts = await harness.query((stored) => stored.attempts())
  expectThat(attempts === 1 && harness.relay.emails.length === 1, `${attempts} attempts`)
  await program.stop()
  return `1 attempt; ${await harness.verify()}`
}
