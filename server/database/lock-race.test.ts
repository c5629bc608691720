import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

test('two servers never have the lock at the same time', async () => {
  using folder = newDataDir()

  const counts = await raceIn(folder.path)

  for (const { locked, conflicts, other } of counts)
    expect([locked > 0, conflicts, other]).toEqual([true, 0, ''])
})
