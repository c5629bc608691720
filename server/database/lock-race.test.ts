import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'

const PROCESSES = 4
const RUN_MS = 2_500

const program = JSON.stringify(join(import.meta.dirname, 'lock-data-directory.ts'))

// The process with the lock creates a folder. If the folder already exists, two processes have the lock.
const racer = `
  import { mkdirSync, rmdirSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  const [dataDir, held, runMs] = process.argv.slice(1)
  const { lockDataDirectory } = await import(${program})
  const until = performance.now() + Number(runMs)
  const counts = { locked: 0, conflicts: 0, other: '' }
  const count = (error) => {
    if (!error.message.startsWith('A server is already using')) counts.other ||= String(error)
  }
  while (performance.now() < until) {
    try {
      const unlock = lockDataDirectory(dataDir)
      counts.locked++
      try {
        mkdirSync(held)
        await sleep(Math.random() * 200)
        rmdirSync(held)
      } catch {
        counts.conflicts++
      }
      unlock()
    } catch (error) {
      count(error)
    }
    await sleep(Math.random() * 20)
  }
  console.log(JSON.stringify(counts))`

async function raceIn(dataDir: string) {
  const args = ['--input-type=module', '-e', racer, dataDir, join(dataDir, 'held'), String(RUN_MS)]
  const racers = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  const all = await Promise.all(racers.map(({ stdout }) => text(stdout)))
  return all.map((line) => JSON.parse(line) as { locked: number; conflicts: number; other: string })
}

/** Opens the lock file for reading at random times, as another user's program might. */
async function readAtRandom(path: string, signal: AbortSignal) {
  while (!signal.aborted) {
    await sleep(Math.random() * 100)
    try {
      using _reader = open(path)
      await sleep(Math.random() * 400)
    } catch {
      // The file is missing, or a server has locked it.
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
  ['while another program reads', true],
  ['while no other program reads', false],
])('two servers never have the lock at the same time %s the lock file', async (_while, isRead) => {
  using folder = newDataDir()
  const ended = new AbortController()
  const reading = isRead ? readAtRandom(join(folder.path, 'server.lock'), ended.signal) : undefined

  const counts = await raceIn(folder.path)
  ended.abort()
  await reading

  expect(counts.map(({ conflicts, other }) => ({ conflicts, other }))).toEqual(
    counts.map(() => ({ conflicts: 0, other: '' })),
  )
  expect(Math.min(...counts.map(({ locked }) => locked))).toBeGreaterThan(0)
})
