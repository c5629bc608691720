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

/** Starts the server on what a fault left behind, stores one more lead, and stops the server. */
export async function checkRestart(env: Record<string, string>, weakness?: Weakness) {
  const nodeOptions = weakenedBy(weakness)
  const program = await startProgram(env, { nodeOptions }).catch((error: Error) => error)
  if (program instanceof Error) {
    const reason = program.message.split('\n').find((line) => !line.startsWith('{'))
    return { faults: [`doesn't start (${reason})`], output: program.message }
  }
  const { statuses } = await createRecordingClient().post(program.url)
  const code = await program.stop()
  return {
    faults: [
      ...(statuses[0] === 200 ? [] : [`the response to a new lead is ${statuses[0]}`]),
      ...(code === 0 ? [] : [`exits with ${code}`]),
    ],
    output: program.lines.join('\n'),
  }
}
