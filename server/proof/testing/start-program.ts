import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { memoryFolder } from './memory-folder.ts'

const START_DEADLINE_MS = 60_000

/**
 * The environment variables that every program in a test needs. With this cache, as in the image,
 * it starts in half the time.
 */
export const nodeSettings: Record<string, string> = {
  NODE_COMPILE_CACHE: join(memoryFolder(), 'website-compile-cache'),
}
const repository = join(import.meta.dirname, '../../..')
/** The memory settings in the Dockerfile. */
export const memorySettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=96',
}

export type Program = Awaited<ReturnType<typeof startProgram>>
export type Launch = {
  /** Node options, which come before the program's path. */
  nodeOptions?: readonly string[]
  /** A command that replaces itself with the program, so that the process ID stays the same. */
  through?: readonly string[]
  uid?: number
  /** The project's folder, if it isn't this one. */
  root?: string
}

/** A temporary folder, deleted when disposed. */
export function newDataDir() {
  const path = mkdtempSync(join(tmpdir(), 'website-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Starts the real program and waits until it's ready. If it exits first, rejects with its output.
 */
export const startProgram = (env: Record<string, string>, launch: Launch = {}) =>
  untilReady(launchProgram(env, launch))

/** Waits until a program is ready, or kills it. */
export async function untilReady({ ready, ...program }: ReturnType<typeof launchProgram>) {
  const port = await ready.catch(async (error: unknown) => {
    await program.stop('SIGKILL')
    throw error
  })
  return { ...program, url: `http://localhost:${port}`, port }
}

/** Starts the real program. `ready` resolves to its port. */
export function launchProgram(env: Record<string, string>, launch: Launch = {}) {
  const { nodeOptions = [], through = [], uid, root = repository } = launch
  const main = join(root, 'server/main.ts')
  const [command = '', ...rest] = [...through, process.execPath, ...nodeOptions, main]
  // Use a clean environment: the developer's settings must not affect a test.
  const child = spawn(command, rest, {
    env: { PORT: '0', ...nodeSettings, ...env },
    ...(uid !== undefined && { uid }),
  })
  const lines: string[] = []
  const output = createInterface(child.stdout)
  const errors = createInterface(child.stderr)
  for (const stream of [output, errors]) stream.on('line', (line) => lines.push(line))
  const exited = once(child, 'close').then(([code]): number | null => code)

  const ready = Promise.race([
    readyPort(output),
    exited.then(() => Promise.reject(new Error(lines.join('\n')))),
    once(AbortSignal.timeout(START_DEADLINE_MS), 'abort').then(() =>
      Promise.reject(new Error('The program was not ready in time.')),
    ),
  ])
  // Prevents an unhandled rejection, because callers that kill the program early don't await
  // `ready`.
  ready.catch(() => {})
  return {
    pid: child.pid ?? 0,
    ready,
    lines,
    /** The exit code, or null if a signal ended the program. */
    exited,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => stop(child, signal),
  }
}

function readyPort(output: ReturnType<typeof createInterface>): Promise<number> {
  return new Promise((done) => {
    output.on('line', (line) => {
      const { msg, port } = line.startsWith('{') ? JSON.parse(line) : {}
      if (msg === 'ready') done(port)
    })
  })
}

/** Sends a signal and returns the exit code, or null if the signal ended the program. */
async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  child.kill(signal)
  const [code] = await exited
  return code
}
