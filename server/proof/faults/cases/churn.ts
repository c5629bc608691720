import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Program } from '../../testing/start-program.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openTrial } from '../trial.ts'

const CONNECTIONS_A_SECOND = 1500
const SENDERS = 7
// A phone on a bad network: its post takes longer than the churn needs to fill every place.
const PARTS = 8
const PART_EVERY_MS = 500

export const churn: FaultCase = {
  family: 'flood',
  fault: `${CONNECTIONS_A_SECOND} empty connections a second from one host, ${SENDERS} honest senders who take ${(PARTS * PART_EVERY_MS) / 1000} s`,
  expected: 'all of them are answered',
  needs: ['linux'],
  async run() {
    const { answered, came } = await sendSlowly()
    const seen = `${answered} of ${SENDERS} answered, ${came} connections`
    expectThat(answered === SENDERS, seen)
    return seen
  },
}

/** For a control: what is wrong. */
export async function crowdOut(weakness?: Weakness): Promise<string[]> {
  const { answered } = await sendSlowly(weakness)
  return answered === SENDERS ? [] : [`${answered} of ${SENDERS} answered`]
}

async function sendSlowly(weakness?: Weakness) {
  await using trial = await openTrial()
  const program = await trial.start(weakness && { weakness })
  const flood = startChurn(program)
  await sleep(1000)
  const answers = await Promise.all(Array.from({ length: SENDERS }, (_, number) => post(program, number)))
  const came = flood.stop()
  await program.stop()
  return { answered: answers.filter((isAnswered) => isAnswered).length, came }
}

function startChurn({ port }: Program) {
  const sockets = new Set<Socket>()
  const startedAt = performance.now()
  let came = 0
  const timer = setInterval(() => {
    for (; came < ((performance.now() - startedAt) / 1000) * CONNECTIONS_A_SECOND; came++) {
      const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
      sockets.add(socket.on('close', () => sockets.delete(socket)))
    }
  }, 10)
  return {
    stop() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      return came
    },
  }
}

/** One sender at an address of its own; whether it was told that its request is stored. */
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
