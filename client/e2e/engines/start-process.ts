import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a program. When this process exits, it tells the program to stop. */
export function startProcess(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const kill = () => void child.kill()
  process.once('exit', kill)
  return {
    stdout: child.stdout,
    stop: async () => {
      process.off('exit', kill)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      kill()
      await exited
    },
  }
}
