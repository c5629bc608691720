import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The system calls with which SQLite changes its files. */
export const storageCalls = ['pwrite64', 'fsync', 'ftruncate', 'unlink'] as const

/**
 * Injects errors or signals into a running program's calls on `paths`, or on any file if there are
 * none. `inject` is in strace's syntax, for example `fsync:error=EIO:when=1+`. Its `when` counts
 * only calls from now on. Resolves once strace has attached to every thread.
 */
export async function injectInto(pid: number, inject: string, paths: readonly string[] = []) {
  const [call = ''] = inject.split(':')
  const filter = paths.flatMap((path) => ['-P', path])
  const options = ['-f', '-o', '/dev/null', ...filter, '-e', `trace=${call}`, '-e', `inject=${inject}`]
  const tracer = spawn('strace', [...options, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'close')
  // It says that it has attached, or that the program is gone: the first injected kill may already
  // have ended it.
  await once(tracer.stderr, 'data')
  tracer.stderr.resume()
  return {
    async detach() {
      tracer.kill('SIGINT')
      await ended
    },
  }
}

export const databaseFiles = (dataDir: string) =>
  ['leads.db', 'leads.db-wal', 'leads.db-journal'].map((name) => join(dataDir, name))

/**
 * A command prefix with which strace records a program's file changes and HTTP responses, in
 * `output.<thread ID>`.
 */
export const tracedTo = (output: string) => [
  ...['strace', '-D', '--seccomp-bpf', '-ff', '-y', '-xx', '-s', '200000', '-o', output],
  ...['-e', `trace=${storageCalls.join()},rename,write,writev`],
]

/**
 * A command prefix with which strace kills a program at the nth call of one of its threads. With
 * `--seccomp-bpf`, as above, some versions of strace never would.
 */
export const killedAt = (call: string, nth: number) => [
  ...['strace', '-D', '-f', '-q', '-o', '/dev/null'],
  ...['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${nth}`],
]
