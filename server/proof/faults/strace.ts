import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorFacts } from '../../error-facts.ts'
import { waitUntil } from '../testing/wait-until.ts'

/** The system calls with which SQLite changes its files. */
export const storageCalls = ['pwrite64', 'fsync', 'ftruncate', 'unlink'] as const

/**
 * Injects errors or signals into a running program's calls on `paths`, or on any file if there are none. `inject` is in
 * strace's syntax, for example `fsync:error=EIO:when=1+`. Its `when` counts only calls from now on. Resolves once strace has
 * attached to every thread.
 */
export function injectInto(pid: number, inject: string, paths: readonly string[] = []) {
  const [call = ''] = inject.split(':')
  const filter = paths.flatMap((path) => ['-P', path])
  return attachTo(pid, ['-o', '/dev/null', ...filter, '-e', `trace=${call}`, '-e', `inject=${inject}`])
}

/** Attaches strace to a running program. Resolves once it has attached to every thread. */
async function attachTo(pid: number, options: readonly string[]) {
  const tracer = spawn('strace', ['-f', '-q', ...options, '-p', String(pid)])
  const ended = once(tracer, 'close')
  await waitUntil('strace has attached to every thread', () => falseIfGone(() => isTraced(pid)))
  return {
    async detach() {
      tracer.kill('SIGINT')
      await ended
    },
  }
}

export const databaseFiles = (dataDir: string) =>
  ['leads.db', 'leads.db-wal', 'leads.db-journal'].map((name) => join(dataDir, name))

/** A command prefix with which strace records a program's file changes and HTTP responses, in `output.<thread ID>`. */
export const tracedTo = (output: string) => [
  ...['strace', '-D', '-ff', '-y', '-xx', '-s', '200000', '-o', output],
  ...['-e', `trace=${storageCalls.join()},rename,write,writev`],
]

/** A command prefix with which strace kills a program at the nth call of one of its threads. */
export const killedAt = (call: string, nth: number) => [
  ...['strace', '-D', '-f', '-q', '-o', '/dev/null'],
  ...['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${nth}`],
]

function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

// A program that is gone counts as traced: the first injected kill may already have ended it.
const isTraced = (pid: number) => threads(pid).every(isThreadTraced)

const isThreadTraced = (thread: string) =>
  /^TracerPid:\s*[1-9]/m.test(readFileSync(`${thread}/status`, 'utf8'))

/** Returns false if a thread or the program ends during the check. The next check then sees the change. */
function falseIfGone(check: () => boolean): boolean {
  try {
    return check()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String(errorFacts(error).code))) return false
    throw error
  }
}
