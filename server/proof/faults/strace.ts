import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../testing/wait-until.ts'

/** The calls by which SQLite changes its files. */
export const storageCalls = ['pwrite64', 'fsync', 'ftruncate', 'unlink'] as const

/**
 * Lets the calls of a running program on its database fail or kill: `inject` in strace's own words, for example
 * `fsync:error=EIO:when=1+`. Counts from now on. Resolves when it is in place, to how to end it.
 */
export async function injectInto(pid: number, inject: string, paths: readonly string[] = []) {
  const [call = ''] = inject.split(':')
  const filter = paths.flatMap((path) => ['-P', path])
  const tracer = spawn('strace', [
    ...['-f', '-q', '-o', '/dev/null', ...filter, '-e', `trace=${call}`, '-e', `inject=${inject}`],
    ...['-p', String(pid)],
  ])
  const ended = once(tracer, 'close')
  await waitUntil('strace holds every thread', () => orNotYet(() => isTraced(pid)))
  return {
    async detach() {
      tracer.kill('SIGINT')
      await ended
    },
  }
}

/** Starts a program in which the calls on these files fail from the first one on; the process id stays its own. */
export const failingFromTheStart = (call: string, paths: readonly string[]) => [
  ...['strace', '-D', '-f', '-q', '-o', '/dev/null', ...paths.flatMap((path) => ['-P', path])],
  ...['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO:when=1+`],
]

export const databaseFiles = (dataDir: string) =>
  ['leads.db', 'leads.db-wal', 'leads.db-journal'].map((name) => join(dataDir, name))

/** Runs a program in its own place under strace, every change of a file and every answer written to `output.<thread id>`. */
export const tracedTo = (output: string) => [
  ...['strace', '-D', '-ff', '-y', '-xx', '-s', '200000', '-o', output],
  ...['-e', `trace=${storageCalls.join()},rename,write,writev`],
]

// A program that the first injected kill has ended already needs no further wait.
const isTraced = (pid: number) => !existsSync(`/proc/${pid}/task`) || threads(pid).every(isHeld)

const threads = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)

const isHeld = (thread: string) => /^TracerPid:\s*[1-9]/m.test(readFileSync(`${thread}/status`, 'utf8'))

/** A thread or the whole program may go between two looks; the next look will see that. */
function orNotYet(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(Object(error).code)) return false
    throw error
  }
}
