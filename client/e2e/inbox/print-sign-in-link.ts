import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const leadsCommand = join(import.meta.dirname, '../../../server/cli/leads.ts')

/** `leads sign-in` on the server's shell. */
export async function printSignInLink(dataDir: string, port: number): Promise<string> {
  const env = { DATA_DIR: dataDir, PORT: String(port) }
  const { stdout } = await promisify(execFile)(process.execPath, [leadsCommand, 'sign-in'], { env })
  return /http\S+/.exec(stdout)?.[0] ?? ''
}
