import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeSettings } from '../testing/start-program.ts'
import { type Weakness, weakenedBy } from './controls/weakenings.ts'

/** `through` is a command prefix, such as strace. */
type Cli = { env: Record<string, string>; through?: readonly string[]; weakness?: Weakness | undefined }
type Result = { code: number | null; stdout: string; stderr: string }

const DEADLINE_MS = 60_000

/** Runs a CLI command. The exit code is null if a signal ended the command. */
export async function runCli(
  [script = '', ...args]: readonly string[],
  { env, through = [], weakness }: Cli,
) {
  const program = join(import.meta.dirname, `../../cli/${script}.ts`)
  const [command = '', ...rest] = [...through, process.execPath, ...weakenedBy(weakness), program, ...args]
  const options = { env: { ...nodeSettings, ...env }, timeout: DEADLINE_MS, maxBuffer: 1e8 }
  const ended = promisify(execFile)(command, rest, options)
  ended.child.stdin?.end()
  const { code, stdout, stderr } = await ended.then(
    (output): Result => ({ code: 0, ...output }),
    (failed: Result) => failed,
  )
  return { code, stdout, stderr, output: stdout + stderr }
}
