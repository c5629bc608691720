import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { errorFacts } from '../../../error-facts.ts'
import { freePort } from '../../testing/free-port.ts'
import { mountExt4, mountMemory } from '../../testing/mount.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { isOk, waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { databaseFiles, failingFromStartup, injectInto } from '../strace.ts'

const RECOVERY_MS = 5000
const POSTS_ON_A_FULL_DISK = 30
// Creating the tables writes about 300 kB. Each start gets further than the last, because it overwrites the log of that one.
const FREE_KB = [40, 40, 40, 40]

const fullDisk: FaultCase[] = [
  {
    family: 'disk',
    fault: 'the disk is full, then space is freed (file system in memory)',
    expected:
      '503 while full, but the page is still served; requests are stored again within 5 s without a restart',
    needs: ['mount'],
    run: () => fillAndFree(mountMemory('size=8m')),
  },
  {
    family: 'disk',
    fault: 'the disk is full, then space is freed (ext4)',
    expected:
      '503 while full, but the page is still served; requests are stored again within 5 s without a restart',
    needs: ['loop'],
    // The short run includes only the file system in memory.
    isLong: true,
    run: () => fillAndFree(mountExt4(16)),
  },
  {
    family: 'disk',
    fault: 'the disk is full at the first start, then space is freed',
    expected: 'exit 1 with a clear message; once there is space, the server starts and stores requests',
    needs: ['mount'],
    // Not in the short run, because migrate.test.ts checks that a failed migration changes nothing.
    isLong: true,
    run: firstStartOnFullDisk,
  },
]

async function fillAndFree(disk: ReturnType<typeof mountMemory>): Promise<string> {
  using mounted = disk
  await using harness = await openHarness({ givenDir: mounted.path })
  const program = await harness.start()
  for (let count = 0; count < 3; count++) await harness.client.post(program.url)

  const ballast = join(mounted.path, 'ballast')
  fill(ballast)
  const refused = () =>
    harness.client.entries.flatMap(({ statuses }) => statuses).filter((code) => code === 503)
  for (let count = 0; count < POSTS_ON_A_FULL_DISK || refused().length === 0; count++)
    await harness.client.post(program.url)
  const page = await fetch(program.url)
  const ready = await fetch(`${program.url}/healthz/ready`)
  expectThat(page.status === 200, `page: ${page.status}`)
  expectThat(ready.status === 503, `ready although full: ${ready.status}`)

  rmSync(ballast)
  const recoveredAfterMs = await waitUntil(
    'the server stores requests again',
    async () => (await harness.client.post(program.url)).statuses[0] === 200,
    RECOVERY_MS,
  )
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  const seen = await harness.recoverAndVerify()
  return `${refused().length} times 503, page 200, stores again after ${recoveredAfterMs.toFixed()} ms; ${seen}`
}

async function firstStartOnFullDisk(): Promise<string> {
  using disk = mountMemory('size=16m')
  await using harness = await openHarness({ givenDir: disk.path })
  const ballast = join(disk.path, 'ballast')
  for (const free of FREE_KB) {
    fill(ballast)
    truncateSync(ballast, statSync(ballast).size - free * 1024)
    const program = launchProgram(harness.envOf())
    program.ready.then(
      () => program.stop(),
      () => {},
    )
    const code = await program.exited
    const isClear = program.lines.some((line) => line.includes('The disk is full'))
    expectThat(code === 1 && isClear, `exit code ${code} with ${free} kB free: ${program.lines.join(' ')}`)
  }
  rmSync(ballast)
  const program = await harness.start()
  const { statuses } = await harness.client.post(program.url)
  expectThat(statuses[0] === 200, `the response with enough space is ${statuses[0]}`)
  await program.stop()
  return `refused ${FREE_KB.length} times, starts with enough space; ${await harness.verify()}`
}

/** Fills the disk to the last byte with smaller and smaller writes. */
function fill(path: string) {
  const file = openSync(path, 'w')
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      while (true) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch (error) {
      if (errorFacts(error).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}

const EXIT_DEADLINE_MS = 5000

// After a failed read, a 200 is allowed, too: storing the request may not have needed that read.
const allowedStatuses = { fsync: [503], pwrite64: [503], pread64: [200, 503] }

const inShortRun = ['fsync fails once']

const whileRunning = Object.entries(allowedStatuses).flatMap(([call, answers]) =>
  [
    { when: '1', words: 'fails once' },
    { when: '1+', words: 'fails permanently' },
  ].map(
    ({ when, words }): FaultCase => ({
      family: 'disk',
      fault: `${call} ${words} (EIO)`,
      expected: `${answers.join(' or ')}, then exit 1 within 5 s so that the supervisor restarts the server; a retry stores one lead`,
      needs: ['strace'],
      isLong: !inShortRun.includes(`${call} ${words}`),
      async run() {
        await using harness = await openHarness()
        const program = await harness.start()
        await harness.client.post(program.url)
        await harness.drain(program.url)
        const tracer = await injectInto(
          program.pid,
          `${call}:error=EIO:when=${when}`,
          databaseFiles(harness.dataDir),
        )
        // This write makes the program's page cache stale, so that the program must read the file.
        await harness.query((stored) => stored.write())

        const entry = await harness.client.post(program.url)
        const failedAt = performance.now()
        const code = await Promise.race([program.exited, tooLong()])
        const tookMs = performance.now() - failedAt
        await tracer.detach()

        const answer = entry.statuses.at(-1) ?? 0
        expectThat(answers.includes(answer), `response ${answer}`)
        expectThat(code === 1, `exit code ${code}`)
        const seen = await harness.recoverAndVerify()
        return `${answer}, exit 1 after ${tookMs.toFixed()} ms; ${seen}`
      },
    }),
  ),
)

const tooLong = () =>
  new Promise<string>((done) =>
    setTimeout(done, EXIT_DEADLINE_MS, `none after ${EXIT_DEADLINE_MS} ms`).unref(),
  )

const atStartup = ['openat', 'pread64', 'pwrite64', 'fsync'].map(
  (call): FaultCase => ({
    family: 'disk',
    fault: `every ${call} fails (EIO) during the startup after a kill`,
    expected:
      'a clear message and exit 1; leads.db is unchanged, and nothing is lost once the disk works again',
    needs: ['strace'],
    isLong: true,
    async run() {
      await using harness = await openHarness()
      const program = await harness.start()
      for (let count = 0; count < 5; count++) await harness.client.post(program.url)
      await program.stop('SIGKILL')
      const file = join(harness.dataDir, 'leads.db')
      const files = databaseFiles(harness.dataDir).filter((path) => existsSync(path))
      const before = readFileSync(file)

      const second = launchProgram(harness.envOf(), { through: failingFromStartup(call, files) })
      harness.watch(second)
      const code = await Promise.race([second.exited, tooLong()])

      const line = second.lines.find((line) =>
        /The disk of DATA_DIR reports errors|cannot be opened/.test(line),
      )
      expectThat(code === 1 && line !== undefined, `exit ${code}: ${second.lines.join(' ')}`)
      // Compare only `leads.db`: the WAL may have grown, and the next start replays or discards it.
      expectThat(before.equals(readFileSync(file)), 'leads.db was changed')
      return `exit 1, "${line}", file unchanged; ${await harness.recoverAndVerify()}`
    },
  }),
)

const HOLD_MS = 4_000
// The server waits for the lock for 250 ms.
const REFUSED_MS = 1_000
const PAUSE_MS = 200
const PAGE_MS = 200

const foreignLock: FaultCase = {
  family: 'disk',
  fault: `another program holds the database's write lock for ${HOLD_MS / 1000} s`,
  expected: 'a request gets 503 within a second and, after the lock, 200; the page is served without waiting',
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const program = await harness.start()
    const other = new Sqlite(join(harness.dataDir, 'leads.db'))
    other.exec('BEGIN IMMEDIATE')
    const askedFirst = performance.now()
    const refused = await harness.client.post(program.url)
    const refusedMs = performance.now() - askedFirst
    expectThat(refused.statuses[0] === 503, `${refused.statuses} instead of 503`)
    expectThat(refusedMs < REFUSED_MS, `503 only after ${refusedMs.toFixed()} ms`)
    const pageTimes: number[] = []
    for (const until = performance.now() + HOLD_MS; performance.now() < until; await sleep(PAUSE_MS)) {
      const askedAt = performance.now()
      expectThat((await fetch(program.url)).status === 200, 'no page')
      pageTimes.push(performance.now() - askedAt)
    }
    other.close()
    const accepted = await harness.client.post(program.url)
    expectThat(accepted.statuses[0] === 200, `${accepted.statuses} instead of 200`)
    const slowest = Math.max(...pageTimes)
    expectThat(slowest < PAGE_MS, `the page took ${slowest.toFixed()} ms`)
    await program.stop()
    return `503, then 200; slowest page ${slowest.toFixed()} ms; ${await harness.recoverAndVerify()}`
  },
}

/** Sends the program's output to a device that is always full. The program can't log its port, so the case picks one. */
export const fullLog: FaultCase = {
  family: 'disk',
  fault: 'the log is redirected to a full disk (/dev/full)',
  expected: 'requests are stored; the server exits with 0 after SIGTERM',
  async run() {
    await using harness = await openHarness()
    const port = await freePort()
    const program = launchProgram(harness.envOf({ PORT: String(port) }), {
      through: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'],
    })
    harness.watch(program)
    const url = `http://localhost:${port}`
    await waitUntil('the server is up', () => isOk(`${url}/healthz`))
    for (let count = 0; count < 5; count++) await harness.client.post(url)
    const code = await program.stop()
    expectThat(code === 0, `exit code ${code}`)
    expectThat(harness.client.unanswered().length === 0, `${harness.client.unanswered().length} not stored`)
    return `5 stored, exit 0; ${await harness.recoverAndVerify()}`
  },
}

export const diskCases = [...fullDisk, ...whileRunning, ...atStartup, foreignLock]
