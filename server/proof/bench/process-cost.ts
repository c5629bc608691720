import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attachTo } from '../faults/strace.ts'
import { newDataDir } from '../testing/start-program.ts'

type Cost = { writtenBytes: number; cpuMs: number }

// Linux reports CPU time in hundredths of a second (USER_HZ) on every machine.
const MS_PER_TICK = 10
/** The system calls that wait for the disk. */
const SYNCS = ['fsync', 'fdatasync']

/** Measures what `work` costs a running process. */
export async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  const before = readCost(pid)
  await work()
  const after = readCost(pid)
  return { writtenBytes: after.writtenBytes - before.writtenBytes, cpuMs: after.cpuMs - before.cpuMs }
}

const readCost = (pid: number): Cost => ({
  writtenBytes: parseWrittenBytes(readFileSync(`/proc/${pid}/io`, 'utf8')),
  cpuMs: parseCpuMs(readFileSync(`/proc/${pid}/stat`, 'utf8')),
})

/** The number of fsyncs during `work`. strace slows the process down, so measure nothing else at the same time. */
export async function countSyncs(pid: number, work: () => Promise<unknown>): Promise<number> {
  using folder = newDataDir()
  const summary = join(folder.path, 'summary')
  const strace = await attachTo(pid, ['-c', '-o', summary, '-e', `trace=${SYNCS.join()}`])
  await work().finally(() => strace.detach())
  return parseCalls(readFileSync(summary, 'utf8'), SYNCS)
}

/** The bytes that a process has sent to the disk, from `/proc/<pid>/io`. */
export const parseWrittenBytes = (io: string): number => Number(/^write_bytes: (\d+)$/m.exec(io)?.[1])

/** The user and system time of a process, from `/proc/<pid>/stat`. */
export function parseCpuMs(stat: string): number {
  // The process's name is in parentheses, and may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [userTicks, systemTicks] = fields.slice(11, 13)
  return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK
}

/** How often these system calls were made, according to the table that `strace -c` prints. */
export function parseCalls(summary: string, names: readonly string[]): number {
  const rows = summary.split('\n').map((line) => line.trim().split(/\s+/))
  return rows
    .filter((cells) => names.includes(cells.at(-1) ?? ''))
    .reduce((sum, [, , , calls]) => sum + Number(calls), 0)
}
