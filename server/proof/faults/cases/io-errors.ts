import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchProgram } from '../../testing/start-program.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { databaseFiles, failingFromStartup, injectInto } from '../strace.ts'

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

export const ioErrors: FaultCase[] = [...whileRunning, ...atStartup]
