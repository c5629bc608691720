import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { launchProgram, newDataDir } from '../../testing/start-program.ts'
import { checkRestart, quietEnv } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { killedAt, storageCalls } from '../strace.ts'
import { fillUsedDataDir } from '../used-data-dir.ts'

export const migrations: FaultCase[] = [
  {
    family: 'migration',
    fault: 'an upgrade with a second migration, killed at each call that changes a file',
    expected: 'the server starts and stores a lead, and no lead is missing or only half migrated',
    needs: ['strace'],
    async run() {
      const { killed, faults } = await killUpgrades()
      expectThat(killed > 0 && faults.length === 0, faults.join('; ') || 'never killed')
      return `killed ${killed} times, no faults`
    },
  },
  control({
    what: 'an upgrade can be killed at any call',
    weakness: 'migrations without a transaction',
    isSqliteOnly: true,
    needs: ['strace'],
    check: async (weakness) => (await killUpgrades(weakness)).faults,
  }),
]

/** Upgrades copies of the same folder, each killed at another call. Stops at the first kill after which something is wrong. */
async function killUpgrades(weakness: Weakness = 'a second migration') {
  using template = newDataDir()
  const { references } = await fillUsedDataDir(template.path)
  let killed = 0
  for (const call of storageCalls)
    for (let nth = 1; ; nth += Math.ceil(nth / 8)) {
      using copy = newDataDir()
      cpSync(template.path, copy.path, { recursive: true, preserveTimestamps: true })
      const launch = { through: killedAt(call, nth), nodeOptions: weakenedBy(weakness) }
      const program = launchProgram(quietEnv(copy.path), launch)
      const isReady = await program.ready.then(() => true).catch(() => false)
      await program.stop('SIGKILL')
      // The start has fewer of these calls.
      if (isReady) break
      killed++
      const { faults } = await checkRestart(copy.path, weakness)
      const lost = references.length - countMigrated(copy.path, references)
      if (lost > 0) faults.push(`${lost} leads lost or not migrated`)
      if (faults.length > 0) return { killed, faults: [`killed at ${call} ${nth}`, ...faults] }
    }
  return { killed, faults: [] }
}

function countMigrated(folder: string, references: readonly string[]): number {
  const sqlite = new Sqlite(join(folder, 'leads.db'), { fileMustExist: true, readonly: true })
  const migrated = sqlite.prepare<[], string>("select reference from leads where city = 'Chicago'").pluck()
  const found = new Set(migrated.all())
  sqlite.close()
  return references.filter((reference) => found.has(reference)).length
}
