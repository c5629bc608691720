import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from './wait-until.ts'

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
  await waitUntil('strace holds every thread', () => isTraced(pid))
  return {
    async detach() {
      tracer.kill('SIGINT')
      await ended
    },
  }
}

export const databaseFiles = (dataDir: string) =>
  ['leads.db', 'leads.db-wal', 'leads.db-journal'].map((name) => join(dataDir, name))

/** Runs a program in its own place under strace, every change of a file and every answer written to `output.<thread id>`. */
export const tracedTo = (output: string) => [
  ...['strace', '-D', '-ff', '-y', '-xx', '-s', '200000', '-o', output],
  ...['-e', `trace=${storageCalls.join()},rename,write,writev`],
]

const isTraced = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /^TracerPid:\s*[1-9]/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
  )
