import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sqliteMigrationNames } from '../../database/migrate.ts'
import { openDatabase } from '../../database/open-database.ts'
import { createRecordingClient } from '../testing/recording-client.ts'
import { newDataDir, startProgram } from '../testing/start-program.ts'
import type { Weakness } from './controls/weakenings.ts'
import { weakenedBy } from './controls/weakenings.ts'

/** Settings for a server that delivers no email and has no rate limit. */
export const quietEnv = (dataDir: string) => ({
  DATA_DIR: dataDir,
  SMTP_URL: 'smtp://127.0.0.1:9',
  CONTACT_LIMIT: '1000000',
})

/** Starts the server on the files that a fault left behind, stores one more lead, and stops the server. */
export async function checkRestart(dataDir: string, weakness?: Weakness) {
  const nodeOptions = weakness ? weakenedBy(weakness) : []
  const program = await startProgram(quietEnv(dataDir), { nodeOptions }).catch((error: Error) => error)
  if (program instanceof Error)
    return { faults: [`doesn't start (${program.message.split('\n')[0]})`], output: program.message }
  const client = createRecordingClient()
  const { statuses } = await client.post(program.url)
  const code = await program.stop()
  return {
    faults: [
      ...(statuses[0] === 200 ? [] : [`the response to a new lead is ${statuses[0]}`]),
      ...(code === 0 ? [] : [`exits with ${code}`]),
    ],
    output: program.lines.join('\n'),
  }
}

/** Returns the references of the leads in a database file, and the result of SQLite's integrity check. */
export function readDatabase(file: string, { readonly = false } = {}) {
  const sqlite = new Sqlite(file, { fileMustExist: true, readonly, timeout: 5000 })
  try {
    const integrity = String(sqlite.pragma('integrity_check(1)', { simple: true }))
    const references = sqlite.prepare<[], string>('select reference from leads').pluck().all()
    return { integrity, references: new Set(references) }
  } catch (error) {
    return { integrity: String(error), references: new Set<string>() }
  } finally {
    sqlite.close()
  }
}

/** Compares the schema of `leads.db` with that of a new database. */
export async function schemaFaults(dataDir: string): Promise<string[]> {
  const [shape, wanted] = [schemaOf(join(dataDir, 'leads.db')), await newestSchema()]
  return shape === wanted ? [] : ["leads.db doesn't have the newest schema"]
}

/** Finds leads that an interrupted upgrade left without a due time, or with a wrong `is_indexed`. */
export function findIncompleteLeads(dataDir: string): string[] {
  const sqlite = new Sqlite(join(dataDir, 'leads.db'), { fileMustExist: true, timeout: 5000 })
  try {
    const count = (query: string) => Number(sqlite.prepare(query).pluck().get())
    const dateless = count("select count(*) from leads where due_at = '' or sort_key = ''")
    const misindexed = count(
      'select count(*) from leads where is_indexed <> (select count(*) from lead_index where lead_id = leads.id)',
    )
    const words = count('select count(*) from lead_words') - count('select count(*) from lead_index')
    return [
      ...(dateless === 0 ? [] : [`${dateless} leads without a due time`]),
      ...(misindexed === 0 && words === 0
        ? []
        : [`${misindexed} leads with a wrong is_indexed, ${words} extra rows in lead_words`]),
    ]
  } finally {
    sqlite.close()
  }
}

let newest: Promise<string> | undefined
const newestSchema = () => {
  newest ??= createNewest()
  return newest
}

async function createNewest(): Promise<string> {
  using folder = newDataDir()
  await (await openDatabase(folder.path)).destroy()
  return schemaOf(join(folder.path, 'leads.db'))
}

function schemaOf(file: string): string {
  const sqlite = new Sqlite(file, { fileMustExist: true, timeout: 5000 })
  try {
    const parts = sqlite
      .prepare("select sql from sqlite_master where name not like 'kysely%' order by name")
      .pluck()
      .all()
    const applied = sqlite.prepare('select name from kysely_migration order by name').pluck().all()
    const known = [...sqliteMigrationNames].sort()
    const broken = sqlite.pragma('foreign_key_check')
    return JSON.stringify([parts, applied, known, broken])
  } finally {
    sqlite.close()
  }
}
