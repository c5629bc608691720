import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** The moment just before a program's nth system call named `call`. */
export type Point = { call: string; nth: number; file: string }
/** `through` is a command prefix that runs a program under strace. Right after the start, pass the process ID to `watch`. */
export type Tracing = { through: readonly string[]; watch: (pid: number) => void }

// Calls that can change a file. Not every kernel has all of them.
const calls = [
  ...['pwrite64', 'write', 'writev', 'fsync', 'fdatasync', 'ftruncate', 'fallocate', 'copy_file_range'],
  ...['sendfile', 'rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'mkdir'],
  ...['mkdirat', 'openat', 'chmod', 'fchmod', 'fchmodat', 'utimensat'],
]
// With seccomp, only the traced calls stop the program, so a start takes no longer than usual.
const strace = ['strace', '-D', '-f', '--seccomp-bpf', '-q', '-s', '0', '-e', 'signal=none']
const POLL_EVERY_MS = 20
const DELAY = '30s'

/** Records every call that can change a file. */
export const recordingTo = (trace: string): Tracing => ({
  through: [...strace, '-y', '-o', trace, '-e', `trace=${calls.map((call) => `?${call}`).join()}`],
  watch: () => {},
})

/**
 * Kills the program and its children just before a call. strace's `signal=KILL` doesn't work with seccomp, and without
 * seccomp a start takes four times as long. So strace only logs and delays the call, and `watch` kills the processes.
 */
export const killingAt = ({ call, nth }: Omit<Point, 'file'>, trace: string): Tracing => ({
  through: [
    ...[...strace, '-o', trace, '-e', `trace=${call}`],
    ...['-e', `inject=${call}:delay_enter=${DELAY}:when=${nth}`],
  ],
  watch: (pid) => killWhen(() => isReached({ call, nth }, trace), pid),
})

/** The calls that change something in the folder, counted separately for each thread, as strace counts them. */
export function pointsIn(trace: string, folder: string): Point[] {
  const points = new Map<string, Point>()
  for (const { line, call, nth } of callsIn(trace)) {
    const isChange = call !== 'openat' || line.includes('O_CREAT')
    const file = /(?<=[<"])\/[^>"]+/.exec(line)?.[0] ?? ''
    if (isChange && line.includes(folder)) points.set(`${call} ${nth}`, { call, nth, file })
  }
  return [...points.values()]
}

/** Whether a recorded program got as far as the call. */
export const isReached = (point: Omit<Point, 'file'>, trace: string): boolean =>
  callsIn(read(trace)).some(({ call, nth }) => call === point.call && nth === point.nth)

function callsIn(trace: string) {
  const counts = new Map<string, number>()
  return trace.split('\n').flatMap((line) => {
    const [, thread, call = ''] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    if (!thread) return []
    const nth = (counts.get(thread + call) ?? 0) + 1
    counts.set(thread + call, nth)
    return [{ line, call, nth }]
  })
}

async function killWhen(isTime: () => boolean, pid: number) {
  while (!isTime()) {
    if (!isRunning(pid)) return
    await sleep(POLL_EVERY_MS)
  }
  // Skip 0: as a TracerPid it means "not traced", and killing it would hit our whole process group.
  const [, tracer] = /^TracerPid:\s*([1-9]\d*)/m.exec(read(`/proc/${pid}/status`)) ?? []
  // Kill the tracer last: its death releases the processes that are still alive, and they would keep running.
  for (const process of [...processTree(pid), ...(tracer ? [Number(tracer)] : [])]) kill(process)
}

const isRunning = (pid: number) => read(`/proc/${pid}/comm`) !== ''

/** The process and all its descendants. */
function processTree(pid: number): number[] {
  const children = threads(pid).flatMap((thread) => read(`${thread}/children`).split(' ').filter(Boolean))
  return [pid, ...children.flatMap((child) => processTree(Number(child)))]
}

export function threads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

/** Returns an empty string if the file doesn't exist, as when a process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
