import { spawn } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { percentile99 } from '../../testing/percentile.ts'
import type { Program } from '../../testing/start-program.ts'
import { bestOf } from '../best-of.ts'
import { control, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const CLIENTS = 1000
const PROBE_MS = 250
const PROBE_EVERY_MS = 40
// Room for the program's other sockets: the listening port, an email being sent, and the probe.
const OTHER_SOCKETS = 10
// The program allows a client 10 s to send its headers and checks every second. Node's defaults are 60 s and 30 s.
const SLOW_HEADERS_MS = 12_500

type SlowAttack = { what: string; options: string[]; path: string; goneAfterMs: number }

const slowAttacks: SlowAttack[] = [
  { what: 'headers', options: ['-H', '-i', '2'], path: contactPath, goneAfterMs: 20_000 },
  { what: 'bodies', options: ['-B', '-i', '2'], path: contactPath, goneAfterMs: 20_000 },
  {
    what: 'reads',
    options: ['-X', '-w', '1', '-y', '64', '-z', '5'],
    path: '/work/ridgeline-roofing.jpg',
    // The program allows a minute to read a response, for real visitors on bad networks.
    goneAfterMs: 70_000,
  },
]

const endlessHeaders = {
  what: `a client that never ends its headers is disconnected within ${SLOW_HEADERS_MS / 1000} s`,
  check: sendEndlessHeaders,
  isLong: true,
}

export const slowClients: FaultCase[] = [
  ...slowAttacks.map(
    (slowAttack): FaultCase => ({
      family: 'slow',
      fault: `${CLIENTS} clients with slow ${slowAttack.what} (slowhttptest)`,
      expected: `all disconnected within ${slowAttack.goneAfterMs / 1000} s; no page load or POST is refused; their p99 is at most ${PROBE_MS} ms or twice that of an idle program`,
      needs: ['slowhttptest'],
      isLong: true,
      runsAlone: true,
      run: () => expectPrompt(slowAttack),
    }),
  ),
  guarantee(endlessHeaders),
  control({ ...endlessHeaders, weakness: "Node's default timeouts" }),
]

async function sendEndlessHeaders(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  const socket = connect(program.port, 'localhost').on('error', () => {})
  socket.resume().write('POST / HTTP/1.1\r\nHost: localhost\r\n')
  await sleep(SLOW_HEADERS_MS)
  const isOpen = !socket.destroyed
  socket.destroy()
  return isOpen ? [`still open after ${SLOW_HEADERS_MS / 1000} s`] : []
}

async function expectPrompt(slowAttack: SlowAttack): Promise<string> {
  const { isPrompt, seen } = await bestOf(
    3,
    (outcome) => outcome.isPrompt,
    () => attack(slowAttack),
  )
  expectThat(isPrompt, seen)
  return seen
}

async function attack({ options, path, goneAfterMs }: SlowAttack) {
  await using harness = await openHarness()
  // A second program without slow clients shows how busy the machine is.
  await using calm = await openHarness()
  const [program, other] = [await harness.start(), await calm.start()]
  await Promise.all([probe(harness, program), probe(calm, other)])
  const startedAt = performance.now()
  const since = () => performance.now() - startedAt
  const seconds = String(goneAfterMs / 1000 + 30)
  const tool = spawn(
    'slowhttptest',
    [...options, '-c', `${CLIENTS}`, '-r', '500', '-l', seconds, '-u', program.url + path],
    { stdio: 'ignore' },
  )
  const times: number[] = []
  const calmTimes: number[] = []
  let most = 0
  let lastOpenedAt = 0
  try {
    while (since() - lastOpenedAt < goneAfterMs) {
      times.push(await probe(harness, program))
      calmTimes.push(await probe(calm, other))
      const open = socketsOf(program.pid)
      if (open > most) {
        most = open
        lastOpenedAt = since()
      }
      if (most > CLIENTS / 2 && open <= OTHER_SOCKETS) break
      await sleep(PROBE_EVERY_MS)
    }
  } finally {
    tool.kill()
  }
  const open = socketsOf(program.pid)
  const [p99, calmP99] = [percentile99(times), percentile99(calmTimes)]
  const seen = `up to ${most} sockets, ${open} left ${((since() - lastOpenedAt) / 1000).toFixed(1)} s after the last client connected; ${times.length} probes, none refused, p99 ${p99.toFixed()} ms, longest ${Math.max(...times).toFixed()} ms (idle program: p99 ${calmP99.toFixed()} ms)`
  expectThat(most >= CLIENTS * 0.95 && open <= OTHER_SOCKETS, seen)
  await program.stop()
  const isPrompt = p99 <= Math.max(PROBE_MS, 2 * calmP99)
  return { isPrompt, seen: `${seen}; ${await harness.recoverAndVerify()}` }
}

/** Loads the page and posts a request, as a new visitor would. Returns how long the slower of the two took. */
async function probe(harness: Harness, program: Program): Promise<number> {
  const startedAt = performance.now()
  const page = await fetch(program.url, { headers: { Connection: 'close' } }).catch(() => undefined)
  expectThat(page?.status === 200 && (await page.text()) !== '', 'the page was refused')
  const postedAt = performance.now()
  const entry = await harness.client.post(program.url)
  expectThat(entry.statuses[0] === 200, `the POST got ${entry.statuses[0]}`)
  return Math.max(postedAt - startedAt, performance.now() - postedAt)
}

/** Counts the program's sockets, not slowhttptest's, whose slow readers don't notice that a connection was closed. */
const socketsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // The socket was just closed.
    return ''
  }
}
