import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Lowers a child process's priority, so that visitors go first if the processor is busy. */
export function lowerPriority({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already exited, or the system doesn't allow it.
  }
}
