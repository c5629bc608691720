import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Program } from '../../testing/start-program.ts'
import { control, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const CONNECTIONS_A_SECOND = 1500
const SENDERS = 7
// A POST arrives in parts, as on a bad mobile network, so that the flood can use up every connection before the POST ends.
const PARTS = 5
const PART_EVERY_MS = 500
// More connections than the program allows, so it has to close some of them.
const CROWD = 1200
const idleCrowd = {
  what: `a visitor gets through while ${CROWD} clients hold idle connections`,
  check: postDuringIdleCrowd,
  isLong: true,
}

export const connectionChurn: FaultCase[] = [
  {
    family: 'flood',
    fault: `${CONNECTIONS_A_SECOND} empty connections per second from one host, while ${SENDERS} visitors take ${(PARTS * PART_EVERY_MS) / 1000} s to send the form`,
    expected: 'every visitor gets a 200',
    isLong: true,
    needs: ['linux'],
    async run() {
      const { answered, opened } = await sendSlowly()
      const seen = `${answered} of ${SENDERS} answered, ${opened} connections`
      expectThat(answered === SENDERS, seen)
      return seen
    },
  },
  control({
    what: 'slow visitors get a response while one host keeps opening connections',
    weakness: 'the connection that has been idle longest is closed, whatever its network',
    needs: ['linux'],
    isLong: true,
    check: postDuringChurn,
  }),
  guarantee(idleCrowd),
  control({ ...idleCrowd, weakness: 'new connections are rejected' }),
]

async function postDuringIdleCrowd(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  const sockets = Array.from({ length: CROWD }, () =>
    connect(program.port, 'localhost').on('error', () => {}),
  )
  // Ignore errors, because the server closes the first connections before the last ones are open.
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})))
  const entry = await harness.client.post(program.url)
  for (const socket of sockets) socket.destroy()
  return entry.statuses[0] === 200 ? [] : ['no response']
}

async function postDuringChurn(weakness?: Weakness): Promise<string[]> {
  const { answered } = await sendSlowly(weakness)
  return answered === SENDERS ? [] : [`${answered} of ${SENDERS} answered`]
}

async function sendSlowly(weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  const flood = startChurn(program)
  await sleep(1000)
  const answers = await Promise.all(Array.from({ length: SENDERS }, (_, number) => post(program, number)))
  const opened = flood.stop()
  await program.stop()
  return { answered: answers.filter((isAnswered) => isAnswered).length, opened }
}

function startChurn({ port }: Program) {
  const sockets = new Set<Socket>()
  const startedAt = performance.now()
  let opened = 0
  const timer = setInterval(() => {
    for (; opened < ((performance.now() - startedAt) / 1000) * CONNECTIONS_A_SECOND; opened++) {
      const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
      sockets.add(socket.on('close', () => sockets.delete(socket)))
    }
  }, 10)
  return {
    stop() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      return opened
    },
  }
}

/** Posts the form slowly, from a different address for each number. Returns whether the response was a 200. */
async function post({ port }: Program, number: number): Promise<boolean> {
  const body = JSON.stringify(sampleRequest({ message: `Sent slowly by ${number}` }))
  const localAddress = `127.0.0.${number + 2}`
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  const length = Buffer.byteLength(body)
  socket.write(
    `POST ${contactPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  )
  for (let part = 0; part < PARTS && !socket.destroyed; part++) {
    socket.write(body.slice((part * length) / PARTS, ((part + 1) * length) / PARTS))
    await sleep(PART_EVERY_MS)
  }
  const answer = once(socket, 'data').then(([chunk]) => String(chunk).startsWith('HTTP/1.1 200'))
  const gone = once(socket, 'close').then(() => false)
  const isAnswered = await Promise.race([answer, gone, sleep(3000, false)]).catch(() => false)
  socket.destroy()
  return isAnswered
}
