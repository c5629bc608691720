import { chownSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { contactPath } from '#shared/contact-request.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { mountMemory } from '../../testing/mount.ts'
import { NOBODY } from '../../testing/needs.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import { launchProgram, newDataDir, startProgram } from '../../testing/start-program.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

const STOPS_WITHIN_MS = 20_000

/**
 * Starts the program on an unusable data directory. Expects exit code 1 and a line that matches
 * `words`.
 */
async function refusal(dataDir: string, words: RegExp, launch = {}): Promise<string> {
  const program = launchProgram({ DATA_DIR: dataDir }, launch)
  const code = await program.exited
  const line = program.lines.find((line) => words.test(line))
  expectThat(line !== undefined, `output: ${program.lines.join(' ')}`)
  expectThat(code === 1, `exit code ${code}: ${line}`)
  return `exit 1, "${line}"`
}

/**
 * Damages a database that contains leads, and starts the program. Expects exit code 1 and an
 * unchanged file.
 */
async function damaged(): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  for (let count = 0; count < 20; count++) await harness.client.post(program.url)
  await program.stop()
  const file = join(harness.dataDir, 'leads.db')
  const before = readFileSync(file).fill(0x5a, 4096, 3 * 4096)
  writeFileSync(file, before)
  const seen = await refusal(harness.dataDir, /leads.db is damaged/)
  expectThat(before.equals(readFileSync(file)), 'the damaged file was changed')
  return `${seen}, file unchanged`
}

/** Damages an index that no start reads, but each request does, and sends a request to two starts. */
async function damagedWhileServing(): Promise<string> {
  using dataDir = await fillDatabase(100_000)
  const file = join(dataDir.path, 'leads.db')
  const bytes = readFileSync(file)
  for (const page of pagesOf('leads_by_content', file))
    bytes.fill(0x5a, (page - 1) * PAGE_BYTES, page * PAGE_BYTES)
  writeFileSync(file, bytes)
  for (const start of [1, 2]) {
    const program = await startProgram({ DATA_DIR: dataDir.path })
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify(sampleRequest())
    await fetch(program.url + contactPath, { method: 'POST', headers, body }).catch(() => {})
    const code = await Promise.race([program.exited, sleep(STOPS_WITHIN_MS)])
    if (code === undefined) await program.stop()
    const reason = program.lines.find((line) => /SQLITE_CORRUPT.*leads\.db is damaged/.test(line))
    expectThat(code === 1 && reason !== undefined, `start ${start}, exit ${code}: ${program.lines.join(' ')}`)
  }
  return `${Math.round(bytes.length / 1e6)} MB: stopped twice with exit 1, and said what to do`
}

const PAGE_BYTES = 4096

function pagesOf(index: string, file: string): number[] {
  const sqlite = new Sqlite(file, { readonly: true })
  const pages = sqlite.prepare<[string], number>(
    "select pageno from dbstat where name = ? and pagetype = 'leaf'",
  )
  try {
    return pages.pluck().all(index)
  } finally {
    sqlite.close()
  }
}

/** Runs the server once in this folder, so that there is a database. */
async function use(givenDir: string) {
  await using harness = await openHarness({ givenDir })
  await (await harness.start()).stop()
}

const cases: Omit<FaultCase, 'family' | 'expected'>[] = [
  {
    fault: 'a DATA_DIR whose parent is a file',
    async run() {
      using folder = newDataDir()
      const file = join(folder.path, 'file')
      writeFileSync(file, 'mine')
      return await refusal(join(file, 'data'), /There is a file where a folder should be/)
    },
  },
  {
    fault: 'a used data directory mounted read-only',
    needs: ['mount'],
    async run() {
      using disk = mountMemory('size=8m')
      await use(disk.path)
      disk.remount('ro')
      return await refusal(disk.path, /mounted read-only|cannot be opened/)
    },
  },
  {
    fault: 'files in the data directory that belong to another user',
    needs: ['otherUser'],
    async run() {
      using folder = newDataDir()
      await use(folder.path)
      chownSync(folder.path, NOBODY, NOBODY)
      return await refusal(folder.path, /owner|belongs/, { uid: NOBODY })
    },
  },
  { fault: 'a leads.db with overwritten pages, which stays as it is', run: damaged },
  {
    fault: 'a large, damaged leads.db, which is found damaged only after the start, each time',
    run: damagedWhileServing,
  },
]

export const starts = cases.map(
  (faultCase): FaultCase => ({
    ...faultCase,
    family: 'start',
    expected: 'a clear message, and exit 1 within 20 s',
  }),
)
