import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errorFacts } from '../../../error-facts.ts'
import { mountExt4, mountMemory } from '../../testing/mount.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const RECOVERY_MS = 5000
const POSTS_ON_A_FULL_DISK = 30
// Creating the tables writes about 300 kB. Each start gets further than the last, because it overwrites the log of that one.
const FREE_KB = [40, 40, 40, 40]

export const fullDisk: FaultCase[] = [
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
