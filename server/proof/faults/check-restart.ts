import Sqlite from 'better-sqlite3'
import { createRecordingClient } from '../testing/recording-client.ts'
import { startProgram } from '../testing/start-program.ts'
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
  const nodeOptions = weakenedBy(weakness)
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
