import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../../testing/start-program.ts'
import { bestOf } from '../best-of.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { longestWait } from '../longest-wait.ts'

const CLIENTS = 40
// If pipelining is unlimited, this many clients are enough to make the check fail.
const CONTROL_CLIENTS = 20
const PACKET_BYTES = 64 * 1024
const MAX_MEGABYTES = 100
const MAX_WAIT_MS = 1000
const WATCHED_MS = 2000
const TRIES = 3

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']

/** What each client pipelines without reading a response, and whether it then closes its sending side. */
const pipelines = [
  { what: 'pages', text: get('/') },
  { what: 'unknown pages', text: get('/nope') },
  { what: 'health checks', text: get('/healthz/mail') },
  { what: 'half-closed', text: get('/'), isHalfClosed: true },
  { what: 'upgraded', text: get('/', ...upgrade) },
  { what: 'upgraded and half-closed', text: get('/nope', ...upgrade), isHalfClosed: true },
]
type Pipeline = (typeof pipelines)[number]

export const unreadResponses: FaultCase[] = [
  {
    family: 'pipelining',
    fault: `${CLIENTS} clients pipeline ${PACKET_BYTES / 1024} KiB of requests each and never read a response`,
    expected: `at most ${MAX_MEGABYTES} MB more memory; /healthz responds after at most ${MAX_WAIT_MS} ms of the server's CPU time; valid requests still work (best of ${TRIES} tries)`,
    needs: ['linux'],
    isLong: true,
    async run() {
      const seen: string[] = []
      for (const pipeline of pipelines) {
        const { faults, figures } = await bestOf(TRIES, isGood, () => leaveUnread(pipeline, CLIENTS))
        expectThat(faults.length === 0, `${pipeline.what}: ${faults.join('; ')}`)
        seen.push(`${pipeline.what}: ${figures}`)
      }
      return seen.join('; ')
    },
  },
  control({
    what: 'unread responses cost little memory and time',
    weakness: 'unlimited pipelining',
    needs: ['linux'],
    isLong: true,
    check: async (weakness) =>
      (await leaveUnread(pipelines[0] as Pipeline, CONTROL_CLIENTS, weakness)).faults,
  }),
]

const isGood = ({ faults }: { faults: string[] }) => faults.length === 0

async function leaveUnread({ text, isHalfClosed }: Pipeline, clients: number, weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  await harness.client.post(program.url)
  const before = startPeak(program)
  const probing = longestWait(program, sleep(WATCHED_MS))
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(program)))
  const packet = text.repeat(Math.floor(PACKET_BYTES / text.length))
  for (const socket of sockets) isHalfClosed ? socket.end(packet) : socket.write(packet)
  const longest = await probing
  const more = peakOf(program.pid) - before
  const entry = await harness.client.post(program.url)
  for (const socket of sockets) socket.destroy()
  await program.stop()
  const figures = `${more.toFixed()} MB more, /healthz within ${longest.toFixed()} ms`
  const isWell = more <= MAX_MEGABYTES && longest <= MAX_WAIT_MS
  const isServed = entry.statuses[0] === 200
  return {
    figures,
    faults: [...(isWell ? [] : [figures]), ...(isServed ? [] : ['a POST was refused'])],
  }
}

async function open({ port }: Program): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  await once(socket, 'connect')
  return socket.pause()
}

/** Resets the program's peak memory and returns its current memory, in MB. */
function startPeak({ pid }: Program): number {
  // Writing 5 resets the peak: https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  return peakOf(pid)
}

/** The peak memory since `startPeak`, in MB. */
function peakOf(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
