import { contactPath } from '#shared/contact-request.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const REQUESTS = 2000
const MAX_KILOBYTES = 50
const PARALLEL = 20

const kinds = [
  { method: 'OPTIONS', path: contactPath },
  { method: 'GET', path: '/nope' },
  { method: 'GET', path: contactPath },
  { method: 'PUT', path: '/' },
  { method: 'DELETE', path: contactPath },
  { method: 'POST', path: contactPath },
]

export const logFlood: FaultCase[] = [
  {
    family: 'flood',
    fault: `${REQUESTS} requests that store nothing`,
    expected: `at most ${MAX_KILOBYTES} kB of log`,
    isLong: true,
    async run() {
      const kilobytes = await kilobytesOfLog()
      const seen = `${kilobytes.toFixed(1)} kB`
      expectThat(kilobytes <= MAX_KILOBYTES, seen)
      return seen
    },
  },
  control({
    what: 'requests that store nothing do not fill the log',
    weakness: 'a log line for each request',
    isLong: true,
    check: fillLog,
  }),
]

async function fillLog(weakness?: Weakness): Promise<string[]> {
  const kilobytes = await kilobytesOfLog(weakness)
  return kilobytes <= MAX_KILOBYTES ? [] : [`${kilobytes.toFixed()} kB of log`]
}

async function kilobytesOfLog(weakness?: Weakness): Promise<number> {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  let sent = 0
  const send = async () => {
    while (sent < REQUESTS) {
      const { method, path } = kinds[sent++ % kinds.length] ?? {}
      await (await fetch(program.url + path, { ...(method && { method }) })).text()
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, send))
  await program.stop()
  return program.lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) / 1000
}
