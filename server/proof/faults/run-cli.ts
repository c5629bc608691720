import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { nodeSettings } from '../testing/start-program.ts'
import { type Weakness, weakenedBy } from './controls/weakenings.ts'

/** `through` is a command prefix, such as strace. */
type Cli = { env: Record<string, string>; through?: readonly string[]; weakness?: Weakness | undefined }

const DEADLINE_MS = 60_000

const node = (script: string, weakness?: Weakness) => [
  process.execPath,
  ...weakenedBy(weakness),
  join(import.meta.dirname, `../../cli/${script}.ts`),
]

/** Runs a CLI command. The exit code is null if a signal ended the command. */
export async function runCli(
  [script = '', ...args]: readonly string[],
  { env, through = [], weakness }: Cli,
) {
  const [command = '', ...rest] = [...through, ...node(script, weakness), ...args]
  const child = spawn(command, rest, {
    env: { ...nodeSettings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
  const texts = { stdout: '', stderr: '', output: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
      texts.output += text
    })
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  return { code, ...texts }
}
