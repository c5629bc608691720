import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { memoryOf } from './subject.ts'

const program = join(import.meta.dirname, '../../cli/leads.ts')

/** Runs a `leads` command and discards its output. Returns its duration and peak memory. */
export async function runLeads(dataDir: string, args: readonly string[]) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [program, ...args], {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const closed = once(child, 'close')
  let peakMb = 0
  for await (const _ of child.stdout) peakMb = Math.max(peakMb, peakMemoryMb(child.pid ?? 0))
  const [status] = await closed
  if (status !== 0) throw new Error(`leads ${args.join(' ')} exited with ${status}`)
  return { ms: performance.now() - startedAt, mb: peakMb }
}

function peakMemoryMb(pid: number): number {
  try {
    return memoryOf(pid, 'VmHWM')
  } catch {
    // The process has already exited.
    return 0
  }
}
