import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeSettings } from '../../../server/proof/testing/start-program.ts'

const leadsCommand = join(import.meta.dirname, '../../../server/cli/leads.ts')

/** Runs `leads sign-in`, as an operator would on the server, and returns the link that it prints. */
export async function printSignInLink(dataDir: string, port: number): Promise<string> {
  const env = { ...nodeSettings, DATA_DIR: dataDir, PORT: String(port) }
  const { stdout } = await promisify(execFile)(process.execPath, [leadsCommand, 'sign-in'], { env })
  return /http\S+/.exec(stdout)?.[0] ?? ''
}
