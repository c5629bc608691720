import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mountMemory } from '../../testing/mount.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { databaseFiles, injectInto } from '../strace.ts'

const RECOVERY_MS = 5000
const POSTS_ON_A_FULL_DISK = 30

async function fillAndFree(): Promise<string> {
  using disk = mountMemory('size=8m')
  await using harness = await openHarness({ givenDir: disk.path })
  const program = await harness.start()
  for (let count = 0; count < 3; count++) await harness.client.post(program.url)

  const ballast = join(disk.path, 'ballast')
  // Ends when nothing more fits.
  spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4096'])
  const refused = () =>
    harness.client.entries.flatMap(({ statuses }) => statuses).filter((code) => code === 503)
  for (let count = 0; count < POSTS_ON_A_FULL_DISK || refused().length === 0; count++)
    await harness.client.post(program.url)
  const page = await fetch(program.url)
  const ready = await fetch(`${program.url}/healthz/ready`)
  expectThat(page.status === 200 && ready.status === 503, `page ${page.status}, ready ${ready.status}`)

  rmSync(ballast)
  const isStored = async () => (await harness.client.post(program.url)).statuses[0] === 200
  const tookMs = await waitUntil('the server stores requests again', isStored, RECOVERY_MS)
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  const seen = await harness.recoverAndVerify()
  return `${refused().length} times 503, page 200, stores again after ${tookMs.toFixed()} ms; ${seen}`
}

const EXIT_DEADLINE_MS = 5000

// After a failed read, a 200 is allowed, too: storing the request may not have needed that read.
const whileRunning = (
  [
    ['fsync', '1', [503]],
    ['fsync', '1+', [503]],
    ['pwrite64', '1', [503]],
    ['pwrite64', '1+', [503]],
    ['pread64', '1', [200, 503]],
    ['pread64', '1+', [200, 503]],
  ] as const
).map(
  ([call, when, answers]): FaultCase => ({
    family: 'disk',
    fault: `${call} fails (EIO) ${when === '1' ? 'once' : 'permanently'}`,
    expected: `${answers.join(' or ')}, then exit 1 within 5 s so that the supervisor restarts the server; a retry stores one lead`,
    needs: ['strace'],
    async run() {
      await using harness = await openHarness()
      const program = await harness.start()
      await harness.client.post(program.url)
      await harness.drain(program.url)
      const inject = `${call}:error=EIO:when=${when}`
      const tracer = await injectInto(program.pid, inject, databaseFiles(harness.dataDir))
      // This write makes the program's page cache stale, so that the program must read the file.
      await harness.query((stored) => stored.write())

      const entry = await harness.client.post(program.url)
      const code = await Promise.race([program.exited, sleep(EXIT_DEADLINE_MS, 'none', { ref: false })])
      await tracer.detach()

      const answer = entry.statuses.at(-1) ?? 0
      expectThat(answers.some((allowed) => allowed === answer) && code === 1, `${answer}, exit code ${code}`)
      expectThat(program.lines.join().includes('"database not usable'), "didn't say why it exits")
      return `${answer}, exit 1; ${await harness.recoverAndVerify()}`
    },
  }),
)

export const diskCases: FaultCase[] = [
  {
    family: 'disk',
    fault: 'the disk is full, then space is freed',
    expected:
      '503 while full, but the page is still served; requests are stored again within 5 s without a restart',
    needs: ['mount'],
    inShortRun: true,
    run: fillAndFree,
  },
  ...whileRunning,
]
