import { chownSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
async function damaged(damage: (bytes: Buffer) => Buffer, words: RegExp): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  for (let count = 0; count < 20; count++) await harness.client.post(program.url)
  await program.stop()
  const file = join(harness.dataDir, 'leads.db')
  writeFileSync(file, damage(readFileSync(file)))
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

const mount = ['mount'] as const
const otherUser = ['otherUser'] as const
const start = (
  fault: string,
  expected: string,
  run: FaultCase['run'],
  more: Partial<FaultCase> = {},
): FaultCase => ({ family: 'start', fault, expected, run, ...more })

// What a short run leaves out, unit tests and browser tests check, too.
const isLong = true
export const starts: FaultCase[] = [
  start(
    'a missing data directory',
    'the directory is created, and the first request is stored',
    async () => {
      using folder = newDataDir()
      await using harness = await openHarness({ givenDir: join(folder.path, 'not/yet') })
      const program = await harness.start()
      await harness.client.post(program.url)
      await program.stop()
      return await harness.recoverAndVerify()
    },
    { isLong },
  ),
  start('a DATA_DIR whose parent is a file', REFUSED, async () => {
    using folder = newDataDir()
    const file = join(folder.path, 'file')
    writeFileSync(file, 'mine')
    return await refusal(join(file, 'data'), /There is a file where a folder should be/)
  }),
  start(
    'a used data directory mounted read-only',
    REFUSED,
    async () => {
      using disk = mountMemory('size=8m')
      await using harness = await openHarness({ givenDir: disk.path })
      await (await harness.start()).stop()
      disk.remount('ro')
      return await refusal(disk.path, /mounted read-only|cannot be opened/)
    },
    { needs: mount },
  ),
  start(
    'files in the data directory that belong to another user',
    REFUSED,
    async () => {
      await using harness = await openHarness()
      await (await harness.start()).stop()
      chownSync(harness.dataDir, NOBODY, NOBODY)
      return await refusal(harness.dataDir, /owner|belongs/, { uid: NOBODY })
    },
    { needs: otherUser },
  ),
  start('a leads.db with an overwritten page', `${REFUSED}, file unchanged`, () =>
    damaged((bytes) => bytes.fill(0x5a, 4096, 3 * 4096), /leads.db is damaged/),
  ),
  start(
    'a truncated leads.db',
    `${REFUSED}, file unchanged`,
    () => damaged((bytes) => bytes.subarray(0, bytes.length >> 1), /leads.db is damaged/),
    { isLong },
  ),
  start(
    'a large, damaged leads.db, which the server finds damaged only after it has started',
    'the server stops with exit 1 within 20 s and says why, at every start',
    damagedWhileServing,
    { isLong },
  ),
  start(
    'a full disk',
    REFUSED,
    async () => {
      using disk = mountMemory('size=64k')
      writeFileSync(join(disk.path, 'ballast'), Buffer.alloc(60 * 1024))
      return await refusal(disk.path, /disk is full/)
    },
    { needs: mount },
  ),
  start(
    'a second server on the same data directory',
    'the second exits with a clear message; the first keeps working',
    async () => {
      await using harness = await openHarness()
      const program = await harness.start()
      const seen = await refusal(harness.dataDir, /A server is already using/)
      await harness.client.post(program.url)
      await program.stop()
      return `${seen}; ${await harness.recoverAndVerify()}`
    },
    { isLong },
  ),
  start(
    "a copy of a killed server's files, without leads.db-shm",
    'no acknowledged lead is lost',
    async () => {
      await using harness = await openHarness()
      const program = await harness.start({ env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
      for (let count = 0; count < 5; count++) await harness.client.post(program.url)
      await program.stop('SIGKILL')
      rmSync(join(harness.dataDir, 'leads.db-shm'), { force: true })
      return await harness.recoverAndVerify()
    },
    { isLong },
  ),
]
