import type { Socket } from 'node:net'
import type { Misbehaviour, Stage } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openTrial } from '../trial.ts'

type State = 'queued' | 'failed'

const hangUp = (socket: Socket) => {
  socket.destroy()
  return undefined
}

/** Without a line end, faster than anybody reads, until the other side has had enough. */
const endlessBanner = (socket: Socket) => {
  const chunk = Buffer.alloc(1 << 20, '2')
  const pour = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', pour)
  }
  pour()
  return undefined
}

const endlessLines = (socket: Socket) => {
  const chunk = '220-welcome\r\n'.repeat(100_000)
  const pour = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', pour)
  }
  pour()
  return undefined
}

// In the short form, these stand for the others.
const inShortForm = [
  ...['hangs up at connect', '450 at rcpt', '550 at rcpt', '421 at dot', '550 at dot', 'hangs up at dot'],
  ...['relaying denied', 'no SMTP at all', 'a banner without end'],
]
const stages: Stage[] = ['connect', 'ehlo', 'auth', 'mail', 'rcpt', 'data', 'dot']
// Only here it is about the mailbox; everything else is for the operator to fix.
const isAboutTheMailbox = (stage: Stage) => stage === 'rcpt'

/** Refusals for good of what somebody can fix: a quota, an account, a sender, a relay rule, a full mailbox. */
export const refusals: Partial<Record<Stage, string[]>> = {
  rcpt: [
    '550 relay not permitted',
    '550 Authentication required',
    '553 sorry, that domain is not in my list (#5.7.1)',
    '552 5.2.2 mailbox full',
  ],
  dot: [
    '550 5.4.5 Daily user sending limit exceeded',
    '554 Message rejected: Email address is not verified',
    '554 5.2.252 SendAsDenied',
    '550 5.7.501 Service unavailable, spam abuse detected',
  ],
}

const everyStage = stages.flatMap((stage) => [
  wrong(stage, `450 at ${stage}`, '450 4.3.0 later', 'queued'),
  wrong(stage, `421 at ${stage}`, '421 4.3.2 going down', 'queued'),
  wrong(stage, `550 at ${stage}`, '550 5.1.1 no', isAboutTheMailbox(stage) ? 'failed' : 'queued'),
  wrong(stage, `hangs up at ${stage}`, hangUp, 'queued'),
])

export const relayReplies: FaultCase[] = [
  ...everyStage,
  wrong('auth', 'wrong password', '535 5.7.8 bad credentials', 'queued'),
  wrong('rcpt', 'relaying denied', '550 5.7.1 relaying denied', 'queued'),
  wrong('dot', 'mailbox full', '452 4.2.2 mailbox full', 'queued'),
  ...Object.entries(refusals).flatMap(([stage, replies]) =>
    replies.map((reply) => wrong(stage as Stage, `"${reply}" at ${stage}`, reply, 'queued')),
  ),
  wrong('connect', 'no SMTP at all', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'queued'),
  wrong('connect', 'a banner without end', endlessBanner, 'queued'),
  wrong('connect', 'a banner of lines without end', endlessLines, 'queued'),
  wrong('dot', 'bytes that are no text', '\u0000\u00ff\u0007', 'queued'),
]

function wrong(stage: Stage, words: string, how: Misbehaviour, state: State): FaultCase {
  return {
    family: 'relay',
    isLong: !inShortForm.includes(words),
    fault: words,
    expected: `answer 200 at once, mail ${state}, delivered once the relay is well`,
    run: () => misbehaveOnce(stage, how, state),
  }
}

async function misbehaveOnce(stage: Stage, how: Misbehaviour, state: State): Promise<string> {
  await using trial = await openTrial()
  const program = await trial.start()
  trial.relay.misbehave(stage, how)
  const entry = await trial.ledger.post(program.url)
  expectThat(entry.reference !== undefined, `answered ${entry.statuses}`)
  await waitUntil('the attempt is noted', async () => (await trial.ask((stored) => stored.attempts())) === 1)
  const failed = await trial.ask((stored) => stored.failedMails())
  expectThat((failed === 1 ? 'failed' : 'queued') === state, failed ? 'given up' : 'still queued')
  const health = await fetch(`${program.url}/healthz/mail`)
  // A refusal does not get better by waiting: it shows at once.
  const isRefused = typeof how === 'string' && how.startsWith('5')
  expectThat(health.status === (isRefused ? 503 : 200), `health of the mail: ${health.status}`)

  trial.relay.heal()
  await trial.drain(program.url)
  expectThat((await program.stop()) === 0, 'did not stop with 0')
  return `200, ${state}; ${await trial.verify()}`
}
