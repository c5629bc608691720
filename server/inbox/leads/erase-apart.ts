import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Problem } from '../../problem.ts'

const command = join(import.meta.dirname, '../../cli/leads.ts')
// A response takes at most a minute; an erasure may wait two for an email that is being sent.
const PATIENCE_MS = 50_000
const NOTHING_STORED = 3
const MAX_REPORT_BYTES = 16 * 1024 * 1024

type Env = Record<string, string | undefined>

/**
 * Erases a person with `leads erase` in a child process: rewriting a large database would block requests. One at a time.
 * Resolves to the command's report. Throws a Problem if it fails or takes long; in the latter case, it goes on.
 */
export function createErase(env: Env, patienceMs = PATIENCE_MS) {
  let running: Promise<unknown> | undefined

  return async function erase(address: string): Promise<unknown> {
    if (running)
      throw new Problem('conflict', 'Another person is being erased. Please try again in a minute.')
    const erasure = run(env, address)
    running = erasure
    // Also if nobody waits for it anymore.
    const ended = () => {
      running = undefined
    }
    erasure.then(ended, ended)
    using patience = startPatience(patienceMs)
    return await Promise.race([erasure, patience.isOver])
  }
}

async function run(env: Env, address: string): Promise<unknown> {
  const options = { env: env as NodeJS.ProcessEnv, maxBuffer: MAX_REPORT_BYTES }
  const { stdout, code } = await promisify(execFile)(
    process.execPath,
    // After `--`, because an address may begin with a dash.
    [command, 'erase', '--yes', '--json', '--', address],
    options,
  ).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout = '', code }: { stdout?: string; code?: unknown }) => ({ stdout, code }),
  )
  if (code === NOTHING_STORED) throw new Problem('not_found', 'Nothing is stored about this person anymore.')
  // With another code, it has erased what it could; the report says what is left.
  if (stdout.startsWith('{')) return JSON.parse(stdout)
  throw new Problem(
    'storage_unavailable',
    'The person could not be erased. Please try again, or run "leads erase" on the server, which says why.',
  )
}

function startPatience(milliseconds: number) {
  const stop = new AbortController()
  const isOver = sleep(milliseconds, undefined, { signal: stop.signal }).then(
    () => {
      throw new Problem('conflict', 'This takes longer than usual and goes on. Look again in a few minutes.')
    },
    () => {},
  )
  // Nobody may be waiting when it stops.
  isOver.catch(() => {})
  return { isOver, [Symbol.dispose]: () => stop.abort() }
}
