import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Starts a program. If it is still running when this process exits, it is killed. */
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
