import { spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { lockDataDirectory } from './lock-data-directory.ts'

const STARTERS = 4
const RUN_MS = 2_500

const program = JSON.stringify(join(import.meta.dirname, 'lock-data-directory.ts'))

// While it has the lock, each starter creates a folder. If the folder already exists, two have the lock.
const starter = `
  import { mkdirSync, rmdirSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  const [dataDir, held, runMs] = process.argv.slice(1)
  const { lockDataDirectory } = await import(${program})
  const until = performance.now() + Number(runMs)
  const counts = { taken: 0, together: 0, other: '' }
  const count = (error) => {
    if (error.name !== 'DataDirectoryInUse') counts.other ||= String(error)
  }
  while (performance.now() < until) {
    try {
      const lock = lockDataDirectory(dataDir)
      counts.taken++
      try {
        mkdirSync(held)
        await sleep(Math.random() * 200)
        rmdirSync(held)
      } catch {
        counts.together++
      }
      lock.release()
    } catch (error) {
      count(error)
    }
    await sleep(Math.random() * 20)
  }
  console.log(JSON.stringify(counts))`

async function raceIn(dataDir: string) {
  const args = ['--input-type=module', '-e', starter, dataDir, join(dataDir, 'held'), String(RUN_MS)]
  const starters = Array.from({ length: STARTERS }, () =>
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const all = await Promise.all(starters.map(({ stdout }) => text(stdout)))
  return all.map((line) => JSON.parse(line) as { taken: number; together: number; other: string })
}

/** Like another user's program: opens the lock file for reading at random times. */
async function readAtRandom(path: string, signal: AbortSignal) {
  while (!signal.aborted) {
    await sleep(Math.random() * 100)
    try {
      using _reader = open(path)
      await sleep(Math.random() * 400)
    } catch {
      // Missing, or locked right now.
    }
  }
}

function open(path: string) {
  const sqlite = new Sqlite(path, { readonly: true, timeout: 0 })
  try {
    sqlite.exec('begin')
    sqlite.prepare('select 1 from sqlite_master').get()
  } catch (error) {
    sqlite.close()
    throw error
  }
  return { [Symbol.dispose]: () => sqlite.close() }
}

test.each([
  ['with', true],
  ['without', false],
])(
  'two servers never have the lock at the same time, %s a reader of the lock file',
  async (_with, isRead) => {
    using folder = newDataDir()
    const ended = new AbortController()
    const reading = isRead ? readAtRandom(join(folder.path, 'server.lock'), ended.signal) : undefined

    const counts = await raceIn(folder.path)
    ended.abort()
    await reading

    expect(counts.map(({ together, other }) => ({ together, other }))).toEqual(
      counts.map(() => ({ together: 0, other: '' })),
    )
    expect(Math.min(...counts.map(({ taken }) => taken))).toBeGreaterThan(0)
  },
)

test('a lock whose file was renamed during the wait is not taken', async () => {
  using folder = newDataDir()
  const first = lockDataDirectory(folder.path)
  const waiter = `
    const { lockDataDirectory } = await import(${program})
    console.log('waits')
    try {
      lockDataDirectory(process.argv[1])
      console.log('holds')
    } catch (error) {
      console.log(error.name)
    }`
  const args = ['--input-type=module', '-e', waiter, folder.path]
  const { stdout } = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })
  await lines.next()
  await sleep(50)

  renameSync(join(folder.path, 'server.lock'), join(folder.path, 'away'))
  const second = lockDataDirectory(folder.path)
  first.release()

  expect((await lines.next()).value).toBe('DataDirectoryInUse\n')
  second.release()
})
