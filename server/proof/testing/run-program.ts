import { vi } from 'vitest'
import { runCli } from '../faults/run-cli.ts'
import type { buildTestApp } from './build-test-app.ts'

type Result = { code: number; stdout: string; stderr: string }
type ProgramName = 'leads' | 'backup' | 'restore' | 'doctor'
type Run = (name: ProgramName, args: readonly string[], env: Record<string, string>) => Promise<Result>

let runs = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs programs in this process, because starting Node.js takes much longer than most commands.
 * They run one at a time.
 */
export const runInThisProcess: Run = (name, args, env) => {
  const run = last.then(() => evaluate(name, args, env))
  last = run.catch(() => {})
  return run
}

const evaluate: Run = async (name, args, env) => {
  const { argv, env: ownEnv, exitCode } = process
  const umask = process.umask()
  const listeners = process.stdout.listeners('error')
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)]
  Object.assign(process, { argv: [...argv.slice(0, 2), ...args], env: { ...env }, exitCode: undefined })
  try {
    // The changing number makes Vitest evaluate the program each time.
    await import(/* @vite-ignore */ `../../cli/${name}.ts?run=${++runs}`)
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    Object.assign(process, { argv, env: ownEnv, exitCode })
    process.umask(umask)
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void)
    for (const { restore } of [stdout, stderr]) restore()
  }
}

function capture(stream: NodeJS.WriteStream) {
  const parts: Uint8Array[] = []
  const write = vi.spyOn(stream, 'write').mockImplementation((part, ...rest) => {
    parts.push(Buffer.from(part as string))
    const done = rest.at(-1)
    if (typeof done === 'function') process.nextTick(done)
    return true
  })
  return { text: () => Buffer.concat(parts).toString(), restore: () => write.mockRestore() }
}

/**
 * Returns functions that submit leads to a test's site, and that run `leads` commands on its data.
 */
export function leadCommands(site: () => Awaited<ReturnType<typeof buildTestApp>>) {
  return {
    submit: (changes = {}) => site().submit(changes),
    run: (args: string[], env: Record<string, string> = site().env) => runInThisProcess('leads', args, env),
    runInChildProcess: (args: string[], env: Record<string, string> = site().env) =>
      runCli(['leads', ...args], { env }),
  }
}
