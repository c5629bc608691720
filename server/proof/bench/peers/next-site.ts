import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../testing/free-port.ts'

const folder = join(import.meta.dirname, 'next-site')
const next = join(import.meta.dirname, 'node_modules/next/dist/bin/next')
const DEADLINE_MS = 20_000

/** Builds the Next.js site for production, with the files in the folder `pages` as static files. */
export function buildNextSite(pages: string) {
  cpSync(pages, join(folder, 'public'), { recursive: true })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  execFileSync(process.execPath, [next, 'build'], { cwd: folder, env, stdio: 'pipe' })
}

/** Runs `next start` and waits until it responds. */
export async function openNextSite(dataDir: string, env: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], {
    cwd: folder,
    env: { ...process.env, ...env, DATA_DIR: dataDir, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: 'ignore',
  })
  const startedAt = performance.now()
  while (!(await isListening(url))) {
    if (child.exitCode !== null || performance.now() - startedAt > DEADLINE_MS)
      throw new Error('Next.js did not start.')
    await sleep(5)
  }
  return {
    ready: { url },
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const isListening = (url: string) =>
  fetch(url, { method: 'HEAD' }).then(
    () => true,
    () => false,
  )
