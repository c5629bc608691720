import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { errorFacts } from '../../../error-facts.ts'
import { firstVersionDatabase } from '../../testing/first-version-database.ts'
import { mountExt4, mountMemory } from '../../testing/mount.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const RECOVERY_MS = 5000
const POSTS_ON_A_FULL_DISK = 30
const OLD_LEADS = 2000
// The migrations write about 1.2 MB. With each of these amounts of free space, they fail at a different statement.
const FREE_KB = [200, 400, 600, 800]

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
    fault: 'the disk is full during a migration from the first version, then space is freed',
    expected: 'exit 1 with a clear message; once there is space, the server starts with every lead',
    needs: ['mount'],
    // Not in the short run, because migrate.test.ts checks that a failed migration changes nothing.
    isLong: true,
    run: migrateOnFullDisk,
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

async function migrateOnFullDisk(): Promise<string> {
  using disk = mountMemory('size=16m')
  await using harness = await openHarness({ givenDir: disk.path })
  await writeOldLeads(join(disk.path, 'leads.db'))
  const ballast = join(disk.path, 'ballast')
  for (const free of FREE_KB) {
    fill(ballast)
    truncateSync(ballast, statSync(ballast).size - free * 1024)
    const program = launchProgram(harness.envOf())
    const code = await program.exited
    const isClear = program.lines.some((line) => line.includes('disk of DATA_DIR is full'))
    expectThat(code === 1 && isClear, `exit code ${code} with ${free} kB free: ${program.lines.join(' ')}`)
  }
  rmSync(ballast)
  await (await harness.start()).stop()
  const leads = await harness.query((stored) => stored.leads())
  expectThat(leads.length === OLD_LEADS, `${leads.length} of ${OLD_LEADS} leads`)
  return `refused ${FREE_KB.length} times; then ${OLD_LEADS} leads with enough space; ${await harness.verify()}`
}

async function writeOldLeads(file: string) {
  writeFileSync(file, await firstVersionDatabase('Q-0'))
  const sqlite = new Sqlite(file)
  const columns = 'created_at, first_name, last_name, email, phone, company, website, budget, content_hash'
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${OLD_LEADS - 1})`
  sqlite.exec(`begin;
    ${numbers} insert into leads (id, reference, message, ${columns})
      select id || n, 'Q-' || n, message || n, ${columns} from leads, numbers;
    insert into outbox (lead_id, kind, recipient, state, due_at, message_id)
      select id, 'owner_notice', 'owner@agency.example', 'sent', created_at, reference from leads
      where reference <> 'Q-0';
    commit`)
  sqlite.close()
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
