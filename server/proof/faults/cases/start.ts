import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDatabase } from '../../testing/fill-database.ts'
import { mountMemory } from '../../testing/mount.ts'
import { NOBODY } from '../../testing/needs.ts'
import { launchProgram, newDataDir, startProgram } from '../../testing/start-program.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const STOPS_WITHIN_MS = 20_000

/** Starts the program on an unusable data directory. Expects exit code 1 and a line that matches `words`. */
async function refusal(dataDir: string, words: RegExp, launch = {}): Promise<string> {
  const program = launchProgram({ DATA_DIR: dataDir }, launch)
  const code = await program.exited
  const line = program.lines.find((line) => words.test(line))
  expectThat(line !== undefined, `output: ${program.lines.join(' ')}`)
  expectThat(code === 1, `exit code ${code}: ${line}`)
  return `exit 1, "${line}"`
}

/** Damages a database that contains leads, and starts the program. Expects exit code 1 and an unchanged file. */
async function damaged(damage: (file: string) => void, words: RegExp): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  for (let count = 0; count < 20; count++) await harness.client.post(program.url)
  await program.stop()
  const file = join(harness.dataDir, 'leads.db')
  damage(file)
  const before = readFileSync(file)
  const seen = await refusal(harness.dataDir, words)
  expectThat(before.equals(readFileSync(file)), 'the damaged file was changed')
  return `${seen}, file unchanged`
}

async function damagedWhileServing(): Promise<string> {
  using dataDir = await fillDatabase(100_000)
  const file = join(dataDir.path, 'leads.db')
  const bytes = readFileSync(file)
  const middle = (bytes.length >> 13) * 4096
  writeFileSync(file, bytes.fill(0x5a, middle, middle + 50 * 4096))
  const program = await startProgram({ DATA_DIR: dataDir.path })
  const code = await Promise.race([program.exited, sleep(STOPS_WITHIN_MS)])
  if (code === undefined) await program.stop()
  const reason = program.lines.find((line) => line.includes('SQLITE_CORRUPT'))
  expectThat(code === 1 && reason !== undefined, `exit ${code}: ${program.lines.join(' ')}`)
  return `${Math.round(bytes.length / 1e6)} MB: stopped with exit 1; ${await refusal(dataDir.path, /leads.db is damaged/)}`
}

const REFUSED = 'a clear message, exit 1'

export const starts: FaultCase[] = [
  {
    family: 'start',
    fault: 'a missing data directory',
    expected: 'the directory is created, and the first request is stored',
    isLong: true,
    async run() {
      using folder = newDataDir()
      await using harness = await openHarness({ givenDir: join(folder.path, 'not/yet') })
      const program = await harness.start()
      await harness.client.post(program.url)
      await program.stop()
      return await harness.recoverAndVerify()
    },
  },
  {
    family: 'start',
    fault: 'a DATA_DIR whose parent is a file',
    expected: REFUSED,
    async run() {
      using folder = newDataDir()
      const file = join(folder.path, 'file')
      writeFileSync(file, 'mine')
      return await refusal(join(file, 'data'), /There is a file where a folder should be/)
    },
  },
  {
    family: 'start',
    fault: 'an empty data directory mounted read-only',
    expected: REFUSED,
    needs: ['mount'],
    async run() {
      using disk = mountMemory('size=8m')
      disk.remount('ro')
      return await refusal(disk.path, /mounted read-only|cannot be opened/)
    },
  },
  {
    family: 'start',
    fault: 'a used data directory mounted read-only',
    expected: REFUSED,
    needs: ['mount'],
    // A short run tests only an empty directory.
    isLong: true,
    async run() {
      using disk = mountMemory('size=8m')
      await using harness = await openHarness({ givenDir: disk.path })
      await (await harness.start()).stop()
      disk.remount('ro')
      return await refusal(disk.path, /mounted read-only|cannot be opened/)
    },
  },
  {
    family: 'start',
    fault: 'a data directory that belongs to another user',
    expected: REFUSED,
    needs: ['otherUser'],
    async run() {
      using folder = newDataDir()
      chmodSync(folder.path, 0o755)
      return await refusal(folder.path, /owner|belongs/, { uid: NOBODY })
    },
  },
  {
    family: 'start',
    fault: 'files in the data directory that belong to another user',
    expected: REFUSED,
    needs: ['otherUser'],
    // A short run tests only a directory that belongs to another user.
    isLong: true,
    async run() {
      await using harness = await openHarness()
      await (await harness.start()).stop()
      chownSync(harness.dataDir, NOBODY, NOBODY)
      return await refusal(harness.dataDir, /owner|belongs/, { uid: NOBODY })
    },
  },
  {
    family: 'start',
    fault: 'a leads.db that is not a database',
    expected: `${REFUSED}, file unchanged`,
    // Not in the short run, because program.spec.ts checks this, too.
    isLong: true,
    run: () =>
      damaged((file) => writeFileSync(file, 'my shopping list'.repeat(1000)), /not an SQLite database/),
  },
  {
    family: 'start',
    fault: 'a leads.db with an overwritten page',
    expected: `${REFUSED}, file unchanged`,
    run: () =>
      damaged((file) => {
        const bytes = readFileSync(file)
        bytes.fill(0x5a, 4096, 3 * 4096)
        writeFileSync(file, bytes)
      }, /leads.db is damaged/),
  },
  {
    family: 'start',
    fault: 'a large, damaged leads.db, which the server finds damaged only after it has started',
    expected: 'the server stops with exit 1 within 20 s and says why, at every start',
    // Not in the short run, because filling the database takes long.
    isLong: true,
    run: damagedWhileServing,
  },
  {
    family: 'start',
    fault: 'a truncated leads.db',
    expected: `${REFUSED}, file unchanged`,
    // A short run overwrites a page instead.
    isLong: true,
    run: () =>
      damaged((file) => {
        const bytes = readFileSync(file)
        writeFileSync(file, bytes.subarray(0, bytes.length >> 1))
      }, /leads.db is damaged/),
  },
  {
    family: 'start',
    fault: 'a full disk',
    expected: REFUSED,
    needs: ['mount'],
    async run() {
      using disk = mountMemory('size=64k')
      writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(60 * 1024))
      return await refusal(disk.path, /disk is full/)
    },
  },
  {
    family: 'start',
    fault: 'a second server on the same data directory',
    expected: 'the second exits with a clear message; the first keeps working',
    // Not in the short run, because program.spec.ts checks this, too.
    isLong: true,
    async run() {
      await using harness = await openHarness()
      const program = await harness.start()
      const seen = await refusal(harness.dataDir, /A server is already using/)
      await harness.client.post(program.url)
      await program.stop()
      return `${seen}; ${await harness.recoverAndVerify()}`
    },
  },
  {
    family: 'start',
    fault: "a copy of a killed server's files, without leads.db-shm",
    expected: 'no acknowledged lead is lost',
    isLong: true,
    async run() {
      await using harness = await openHarness()
      const program = await harness.start({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
      for (let count = 0; count < 5; count++) await harness.client.post(program.url)
      await program.stop('SIGKILL')
      const copy = `${harness.dataDir}-copy`
      cpSync(harness.dataDir, copy, { recursive: true })
      rmSync(harness.dataDir, { recursive: true })
      mkdirSync(harness.dataDir)
      for (const name of ['leads.db', 'leads.db-wal']) cpSync(join(copy, name), join(harness.dataDir, name))
      rmSync(copy, { recursive: true })
      return await harness.recoverAndVerify()
    },
  },
]
