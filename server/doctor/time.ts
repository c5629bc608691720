import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type CheckContext, type Found, ok, problem } from './check.ts'

const TIMEOUT_MS = 3_000
// Deadlines and retries are counted in minutes.
const TOLERANCE_MS = 60_000
// A request of SNTP (RFC 4330): version 4, from a client.
const REQUEST = Buffer.concat([Buffer.of(0x23), Buffer.alloc(47)])
const SENT_AT = 40
const SECONDS_FROM_1900_TO_1970 = 2_208_988_800

/** Asks a public time server. */
export async function askTime(host = 'pool.ntp.org', port = 123): Promise<Date> {
  const socket = createSocket('udp4')
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    socket.connect(port, host)
    await once(socket, 'connect', { signal })
    socket.send(REQUEST)
    const [reply] = await once(socket, 'message', { signal })
    return new Date((reply.readUInt32BE(SENT_AT) - SECONDS_FROM_1900_TO_1970) * 1000)
  } finally {
    socket.close()
  }
}

/** Compares the clock of this machine with another. */
export async function checkTime({ askTime, now }: Pick<CheckContext, 'askTime' | 'now'>): Promise<Found> {
  const right = await askTime().catch(() => undefined)
  if (!right)
    return ok(
      `It is ${now.toISOString()} here. No time server answers, so compare that with your watch (UTC).`,
    )
  if (Math.abs(right.getTime() - now.getTime()) <= TOLERANCE_MS) return ok('The clock is right.')
  return problem(
    `The clock of this machine says ${now.toISOString()}, but it is ${right.toISOString()}.`,
    'Set it right, and keep it so, on the machine itself, outside of containers: sudo timedatectl set-ntp true',
  )
}
