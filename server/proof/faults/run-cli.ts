import { type ExecFileOptions, execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeSettings } from '../testing/start-program.ts'
import { type Weakness, weakenedBy } from './controls/weakenings.ts'

/** `through` is a command prefix, such as strace. */
type Cli = { env: Record<string, string>; through?: readonly string[]; weakness?: Weakness | undefined }
type Result = { code: number | null; stdout: string; stderr: string }

const DEADLINE_MS = 60_000

/** Runs a CLI command. */
export function runCli([script = '', ...args]: readonly string[], { env, through = [], weakness }: Cli) {
  const program = join(import.meta.dirname, `../../cli/${script}.ts`)
  const [command = '', ...rest] = [...through, process.execPath, ...weakenedBy(weakness), program, ...args]
  return runCommand(command, rest, { env: { ...nodeSettings, ...env }, timeout: DEADLINE_MS })
}

/** Runs a command. The exit code is null if a signal ended it. */
export async function runCommand(command: string, args: readonly string[], options: ExecFileOptions) {
  const ended = promisify(execFile)(command, args, { ...options, encoding: 'utf8', maxBuffer: 1e8 })
  ended.child.stdin?.end()
  const { code, stdout, stderr } = await ended.then(
    (output): Result => ({ code: 0, ...output }),
    (failed: Result) => failed,
  )
  return { code, stdout, stderr, output: stdout + stderr }
}
