import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Program } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openTrial } from '../trial.ts'
import { duplicates, unrecognisable } from '../verify.ts'
import { backlogChecks } from './backlog.ts'
import { crowdOut } from './churn.ts'
import { exceedAtCopies, loadAtCopies } from './copies.ts'
import { crumble } from './crumbs.ts'
import { floodChecks } from './floods.ts'
import { watchErase } from './foreign-opens.ts'
import { stall } from './hostile-text.ts'
import { killedAfterTheDot } from './kills.ts'
import { fillLog } from './log-flood.ts'
import { loseWhileSending } from './lost-postgres.ts'
import { killRestores } from './maintenance.ts'
import { hideRequests, takeEndlessBody } from './malformed.ts'
import { killUpgrades } from './migrations.ts'
import { tellNobody } from './never-told.ts'
import { stopNpm } from './npm-stop.ts'
import { nameThePooler } from './pooler.ts'
import { losePower } from './power-cut.ts'
import { pipelinePages } from './unread-answers.ts'

/** A check that can be asked of the program as it is, and of one with a guarantee taken away. */
type Check = {
  what: string
  weakness: Weakness
  needs?: FaultCase['needs']
  /** Whether the program as it is already stands among the faults. */
  isAskedElsewhere?: boolean
  isAboutSqlite?: boolean
  isLong?: boolean
  /** What is wrong; nothing when all is well. */
  faults: (weakness?: Weakness) => Promise<string[]>
}

// More than the program holds.
const CROWD = 1200
const CONTROL_POSTS = 40
// The program's own limit is 10 s, looked at every second; Node's is 60 s, looked at every 30.
const SLOW_HEADERS_MS = 12_500

const checks: Check[] = [
  {
    what: 'nothing acknowledged is lost in a power cut',
    weakness: 'synchronous=NORMAL',
    isAboutSqlite: true,
    needs: ['strace'],
    isAskedElsewhere: true,
    async faults(weakness) {
      const { outcome } = await losePower(CONTROL_POSTS, () => false, weakness)
      return outcome.lost > 0 ? [`${outcome.lost} of ${outcome.cuts} lost`] : []
    },
  },
  {
    what: 'a mail sent twice is recognisable as one',
    weakness: 'a random Message-ID',
    isAskedElsewhere: true,
    async faults(weakness) {
      return unrecognisable(await killedAfterTheDot(weakness && { weakness }))
    },
  },
  {
    what: '20 parallel requests with one key are one lead with one answer',
    weakness: 'no idempotency key',
    faults: sendTwentyTimes,
  },
  {
    what: 'forged forwarding headers pass no more than the limit',
    weakness: 'trust proxy = true',
    isAskedElsewhere: true,
    faults: floodChecks.forgeHeaders,
  },
  {
    what: 'a body without end is refused',
    weakness: 'no bound on a body',
    isLong: true,
    isAskedElsewhere: true,
    faults: takeEndlessBody,
  },
  {
    what: 'a request hidden in another is not found',
    weakness: 'a lenient HTTP parser',
    isLong: true,
    isAskedElsewhere: true,
    faults: hideRequests,
  },
  {
    what: 'many clients cost little memory',
    weakness: 'a store without bound',
    isLong: true,
    isAskedElsewhere: true,
    faults: floodChecks.keepMany,
  },
  {
    what: `a client that never ends its headers is cut off within ${SLOW_HEADERS_MS / 1000} s`,
    weakness: "Node's default timeouts",
    isLong: true,
    faults: dawdle,
  },
  {
    what: `a visitor gets through while ${CROWD} clients hold connections and say nothing`,
    weakness: 'a newcomer is turned away',
    isLong: true,
    faults: crowd,
  },
  {
    what: 'slow senders are answered while one host opens connections without end',
    weakness: 'whoever has waited longest loses the connection',
    needs: ['linux'],
    isAskedElsewhere: true,
    faults: crowdOut,
  },
  {
    what: 'answers that nobody reads cost little memory and nobody else much time',
    weakness: 'an answer to all that is pipelined',
    needs: ['linux'],
    isAskedElsewhere: true,
    faults: pipelinePages,
  },
  {
    what: 'a body in chunks of one byte makes nobody wait',
    weakness: 'chunks are read behind the answer',
    needs: ['linux'],
    isAskedElsewhere: true,
    faults: crumble,
  },
  {
    what: 'no text makes others wait',
    weakness: 'NFC of whatever comes',
    needs: ['linux'],
    isAskedElsewhere: true,
    faults: stall,
  },
  {
    what: 'requests that store nothing do not fill the log',
    weakness: 'a line for each request',
    isAskedElsewhere: true,
    faults: fillLog,
  },
  {
    what: 'a mail that was in hand at a kill is sent after the restart',
    weakness: 'the mark before the mail',
    isAboutSqlite: true,
    faults: killInHand,
  },
  {
    what: 'a mail that was in hand at a kill is sent at once after the restart',
    weakness: 'no release at the start',
    isLong: true,
    isAboutSqlite: true,
    faults: killInHand,
  },
  {
    what: 'no mail is claimed twice while its lease holds',
    weakness: 'claims are not locked',
    needs: ['postgres'],
    isAskedElsewhere: true,
    faults: loadAtCopies,
  },
  {
    what: 'the limit of a client counts over all copies',
    weakness: 'requests are not locked',
    needs: ['postgres'],
    isAskedElsewhere: true,
    faults: exceedAtCopies,
  },
  {
    what: 'an upgrade can be killed anywhere',
    weakness: 'migrations without a transaction',
    isAboutSqlite: true,
    needs: ['strace'],
    isAskedElsewhere: true,
    faults: killUpgrades,
  },
  {
    what: 'a restore can be killed anywhere',
    weakness: 'a restore that names no file and is not finished',
    isAboutSqlite: true,
    needs: ['strace'],
    isAskedElsewhere: true,
    faults: killRestores,
  },
  {
    what: 'only SQLite opens the files of a connected database',
    weakness: 'a scan in the process of the database',
    isAboutSqlite: true,
    needs: ['strace'],
    isAskedElsewhere: true,
    faults: watchErase,
  },
  {
    what: 'each lead reaches the owner or shows as undelivered',
    weakness: 'a file counts as a delivery',
    isAboutSqlite: true,
    isAskedElsewhere: true,
    faults: tellNobody,
  },
]

const weakenedLanes: Check[] = [
  {
    what: "a new lead's notice overtakes the backlog",
    weakness: 'first come, first served',
    isAboutSqlite: true,
    isAskedElsewhere: true,
    faults: backlogChecks.overtake,
  },
  {
    what: 'a notice does not wait for receipts',
    weakness: 'receipts in the lanes of the owner',
    isAboutSqlite: true,
    isAskedElsewhere: true,
    isLong: true,
    faults: backlogChecks.hangReceipts,
  },
  {
    what: 'a late answer to the final dot is waited for',
    weakness: 'half a minute after the final dot',
    isAboutSqlite: true,
    isAskedElsewhere: true,
    isLong: true,
    faults: backlogChecks.answerLate,
  },
  {
    what: 'what left is recorded when the database is back',
    weakness: 'a sent email is recorded once or never',
    needs: ['postgres'],
    isAskedElsewhere: true,
    isLong: true,
    faults: (weakness) => loseWhileSending(weakness),
  },
]

const weakenedRest: Check[] = [
  {
    what: 'a server under npm stops with it',
    weakness: 'a server that does not watch npm',
    isAboutSqlite: true,
    isAskedElsewhere: true,
    faults: stopNpm,
  },
  {
    what: 'doctor names a pooler',
    weakness: 'a blind eye to poolers',
    needs: ['postgres', 'pgbouncer'],
    isAskedElsewhere: true,
    isLong: true,
    faults: nameThePooler,
  },
]

const asThingsAre = checks
  .filter(({ isAskedElsewhere }) => !isAskedElsewhere)
  // Two controls may share a check.
  .filter((check, index, all) => all.findIndex(({ faults }) => faults === check.faults) === index)
  .map(
    (check): FaultCase => ({
      family: 'guarantee',
      fault: check.what,
      expected: 'so it is',
      ...(check.isAboutSqlite && { isAboutSqlite: true }),
      ...(check.isLong && { isLong: true }),
      async run() {
        const found = await check.faults()
        expectThat(found.length === 0, found.join('; '))
        return 'so it is'
      },
    }),
  )

export const controls: FaultCase[] = [
  ...asThingsAre,
  ...[...checks, ...weakenedLanes, ...weakenedRest].map(
    ({ what, weakness, needs, isAboutSqlite = false, isLong = false, faults }): FaultCase => ({
      family: 'control',
      fault: `${weakness}, against: ${what}`,
      expected: 'the check turns red',
      isControl: true,
      isAboutSqlite,
      isLong,
      ...(needs && { needs }),
      async run() {
        const found = await faults(weakness)
        expectThat(found.length > 0, 'the check stays green: it tests nothing')
        return `red: ${found.join('; ')}`
      },
    }),
  ),
]

const weakened = (weakness?: Weakness) => weakness && { weakness }

function post(program: Pick<Program, 'url'>, message: string, headers: Record<string, string>) {
  return fetch(program.url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(sampleRequest({ message })),
  })
}

async function sendTwentyTimes(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial()
  const program = await trial.start(weakened(weakness))
  const once = () => post(program, 'the same', { 'Idempotency-Key': 'one' }).then((answer) => answer.text())
  const answers = await Promise.all(Array.from({ length: 20 }, once))
  const different = new Set(answers).size
  const double = duplicates(await trial.ask((stored) => stored.leads()))
  return [...double, ...(different === 1 ? [] : [`${different} different answers`])]
}

async function dawdle(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial()
  const program = await trial.start(weakened(weakness))
  const socket = connect(program.port, 'localhost').on('error', () => {})
  socket.resume().write('POST / HTTP/1.1\r\nHost: localhost\r\n')
  await sleep(SLOW_HEADERS_MS)
  const isOpen = !socket.destroyed
  socket.destroy()
  return isOpen ? [`still open after ${SLOW_HEADERS_MS / 1000} s`] : []
}

async function crowd(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial()
  const program = await trial.start(weakened(weakness))
  const sockets = Array.from({ length: CROWD }, () =>
    connect(program.port, 'localhost').on('error', () => {}),
  )
  // Those that came first are gone before the last ones are there.
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
  const entry = await trial.ledger.post(program.url)
  for (const socket of sockets) socket.destroy()
  return entry.statuses[0] === 200 ? [] : ['no answer']
}

async function killInHand(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial()
  const program = await trial.start(weakened(weakness))
  trial.relay.misbehave('mail', () => undefined)
  await trial.ledger.post(program.url)
  await waitUntil('the mail is in hand', () => trial.relay.reached.has('mail'))
  await program.stop('SIGKILL')
  trial.relay.heal()
  const second = await trial.start(weakened(weakness))
  const arrives = waitUntil('the mail arrives', () => trial.relay.mails.length === 1, 3000)
  const found = await arrives.then(
    () => [],
    (error: Error) => [error.message],
  )
  await second.stop()
  return found
}
