import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tracing } from './kill-at-call.ts'

type Open = { process: string; path: string; flags: string }

// Each group is an SQLite database with its companion files, if it has any.
const fileGroups = [['leads.db', 'leads.db-wal', 'leads.db-shm', 'leads.db-journal'], ['server.lock']]
// How long to wait for strace's last lines, because it lags slightly behind the program.
const LAST_LINES_MS = 200

/** Records which files are opened, and which threads belong to which process. */
export const watchingOpens = (trace: string): Tracing => ({
  through: [
    ...['strace', '-D', '-f', '--seccomp-bpf', '-q', '-y', '-e', 'signal=none', '-o', trace],
    ...['-e', 'trace=?open,openat,?openat2,clone,?clone3,?fork,?vfork'],
  ],
  watch: () => {},
})

/**
 * Finds the database files that a process opened directly while it also had a connection to the same database. That is
 * dangerous: when the process closes such a file, POSIX drops the connection's locks. `before` is what `inodesIn(folder)`
 * returned before the program ran.
 */
export async function findForeignOpens(trace: string, folder: string, before: Inodes): Promise<string[]> {
  await sleep(LAST_LINES_MS)
  const opens = readOpens(readFileSync(trace, 'utf8'))
  const root = realpathSync(folder)
  const inodes = new Map([...before, ...inodesIn(root)])
  return fileGroups.flatMap((names) => {
    const paths = names.map((name) => join(root, name))
    const live = new Set(paths.flatMap((path) => inodes.get(path) ?? []))
    const isLive = (path: string) => paths.includes(path) || live.has(inodes.get(path) ?? '')
    // SQLite opens its files with O_NOFOLLOW. Other code doesn't.
    const isOwn = ({ path, flags }: Open) => paths.includes(path) && flags.includes('O_NOFOLLOW')
    const connected = new Set(opens.filter(isOwn).map(({ process }) => process))
    const foreign = opens.filter((open) => connected.has(open.process) && isLive(open.path) && !isOwn(open))
    return [...new Set(foreign.map(({ path, flags }) => `${path.slice(root.length + 1)} (${flags})`))]
  })
}

type Inodes = ReadonlyMap<string, string>

/** The inode of each path in the folder. Paths with the same inode are the same file. */
export function inodesIn(folder: string): Inodes {
  const root = realpathSync(folder)
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))
  return new Map(
    paths.flatMap((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat ? [[path, `${stat.dev}:${stat.ino}`] as const] : []
    }),
  )
}

function readOpens(trace: string): Open[] {
  const lines = trace.split('\n')
  const processOf = readProcesses(lines)
  const unfinished = new Map<string, string>()
  const opens: Open[] = []
  for (const line of lines) {
    const [, thread = '', begun] = /^(\d+) +(?:open|openat|openat2)\(.*?(O_[A-Z_|]+)/.exec(line) ?? []
    if (begun) unfinished.set(thread, begun)
    const [, ended = '', path] = /^(\d+) +(?:<\.\.\. )?open(?:at2?)?\b.* = \d+<(.+)>$/.exec(line) ?? []
    const flags = unfinished.get(ended)
    if (path && flags) opens.push({ process: processOf(ended), path, flags })
  }
  return opens
}

/** Returns a function that maps a thread ID to the ID of its process. */
function readProcesses(lines: readonly string[]) {
  const parents = new Map<string, string>()
  const isThread = new Map<string, boolean>()
  for (const line of lines) {
    const [, thread = '', flags] = /^(\d+) +clone3?\(.*?flags=([A-Z_|]+)/.exec(line) ?? []
    if (flags) isThread.set(thread, flags.includes('CLONE_THREAD'))
    const [, parent = '', child] = /^(\d+) +(?:<\.\.\. )?clone3?\b.* = (\d+)$/.exec(line) ?? []
    if (child && isThread.get(parent)) parents.set(child, parent)
  }
  return (thread: string): string => {
    let process = thread
    for (let up = parents.get(process); up; up = parents.get(process)) process = up
    return process
  }
}
