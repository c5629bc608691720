import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Problem } from '../../problem.ts'

// How long the request waits for the erasure: less than the minute that a response may take. An erasure can take longer,
// because it waits for an email that is being sent.
const PATIENCE_MS = 50_000
const NOTHING_STORED = 3
const MAX_REPORT_BYTES = 16 * 1024 * 1024

/**
 * Erases a person's data with `leads erase` in a child process: erasing rewrites the database, and rewriting a large one in
 * this process would block requests. Only one erasure runs at a time. Resolves to the command's report. Throws a Problem if
 * the command fails without a report, or takes too long. A slow command keeps running.
 */
export function createErase(env: NodeJS.ProcessEnv, patienceMs = PATIENCE_MS) {
  let running: Promise<unknown> | undefined

  return async function erase(address: string): Promise<unknown> {
    if (running)
      throw new Problem('conflict', 'Another person is being erased. Please try again in a minute.')
    const erasure = run(env, address)
    running = erasure
    // Runs when the erasure ends, even if the response was sent before that.
    const ended = () => {
      running = undefined
    }
    erasure.then(ended, ended)
    using patience = startPatience(patienceMs)
    return await Promise.race([erasure, patience.isOver])
  }
}

async function run(env: NodeJS.ProcessEnv, address: string): Promise<unknown> {
  const options = { env, maxBuffer: MAX_REPORT_BYTES }
  const args = [join(import.meta.dirname, '../../cli/leads.ts'), 'erase', '--yes', '--json', '-']
  const erasure = promisify(execFile)(process.execPath, args, options)
  // If the child can't start, writing fails, too. Its exit says why.
  erasure.child.stdin?.on('error', () => {})
  // The address is passed on stdin, because every user can see the arguments in the process list.
  erasure.child.stdin?.end(address)
  const { stdout, code } = await erasure.then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout = '', code }: { stdout?: string; code?: unknown }) => ({ stdout, code }),
  )
  if (code === NOTHING_STORED) throw new Problem('not_found', 'Nothing is stored about this person anymore.')
  // After a partial erasure, the command fails, but its report says what could not be erased.
  if (stdout.startsWith('{')) return JSON.parse(stdout)
  throw new Problem(
    'storage_unavailable',
    'The person could not be erased. Please try again. If it fails again, run "leads erase" on the server to see why.',
  )
}

function startPatience(milliseconds: number) {
  const stop = new AbortController()
  const isOver = sleep(milliseconds, undefined, { signal: stop.signal }).then(
    () => {
      throw new Problem(
        'conflict',
        'This takes longer than usual and is still running. In a few minutes, run "leads erase" on the server to see whether anything is left.',
      )
    },
    () => {},
  )
  return { isOver, [Symbol.dispose]: () => stop.abort() }
}
