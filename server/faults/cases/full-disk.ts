import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { mountExt4, mountMemory } from '../mount.ts'
import { openTrial } from '../trial.ts'
import { waitUntil } from '../wait-until.ts'

const HEAL_MS = 5000
const POSTS_ON_A_FULL_DISK = 30

export const fullDisk: FaultCase[] = [
  {
    family: 'disk',
    fault: 'disk full, then freed (file system in memory)',
    expected: '503 while full, page still served, stores again <= 5 s without restart',
    needs: ['mount'],
    run: () => fillAndFree(mountMemory('size=8m')),
  },
  {
    family: 'disk',
    fault: 'disk full, then freed (ext4)',
    expected: '503 while full, page still served, stores again <= 5 s without restart',
    needs: ['loop'],
    run: () => fillAndFree(mountExt4(16)),
  },
]

async function fillAndFree(disk: ReturnType<typeof mountMemory>): Promise<string> {
  using mounted = disk
  await using trial = await openTrial({ givenDir: mounted.path })
  const program = await trial.start()
  for (let count = 0; count < 3; count++) await trial.ledger.post(program.url)

  const ballast = join(mounted.path, 'ballast')
  fill(ballast)
  const refused = () =>
    trial.ledger.entries.flatMap(({ statuses }) => statuses).filter((code) => code === 503)
  for (let count = 0; count < POSTS_ON_A_FULL_DISK || refused().length === 0; count++)
    await trial.ledger.post(program.url)
  const page = await fetch(program.url)
  const ready = await fetch(`${program.url}/healthz/ready`)
  expectThat(page.status === 200, `page answered ${page.status}`)
  expectThat(ready.status === 503, `ready although full: ${ready.status}`)

  rmSync(ballast)
  const healed = await waitUntil(
    'it stores again',
    async () => (await trial.ledger.post(program.url)).statuses[0] === 200,
    HEAL_MS,
  )
  expectThat((await program.stop()) === 0, 'did not stop with 0')
  const seen = await trial.recoverAndVerify()
  return `${refused().length} answers 503, page 200, healed after ${healed.toFixed()} ms; ${seen}`
}

/** Writes until nothing more fits, in ever smaller pieces. */
function fill(path: string) {
  const file = openSync(path, 'w')
  for (let size = 1 << 20; size >= 1; size >>= 1) {
    try {
      while (true) if (writeSync(file, Buffer.alloc(size)) < size) break
    } catch (error) {
      if (Object(error).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
