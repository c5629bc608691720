import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import type { InboxDeps } from '../inbox-deps.ts'

// How long the request waits for the erasure: less than the minute that a response may take. An erasure can take longer,
// because it waits for an email that is being sent.
const PATIENCE_MS = 50_000
const NOTHING_STORED = 3
const MAX_REPORT_BYTES = 16 * 1024 * 1024

type Deps = Pick<InboxDeps, 'db' | 'env'> & { patienceMs?: number }

/**
 * Erases everything about the person who sent a lead, if the owner has typed that person's address. Runs `leads erase` in a
 * child process, because compacting the database and the backups would block all requests of this one. Only one erasure runs
 * at a time. Resolves to the command's report, even if something could not be erased. Throws a Problem if the command fails
 * or takes too long; a slow command keeps running.
 */
export function createErase({ db, env, patienceMs = PATIENCE_MS }: Deps) {
  let running: Promise<unknown> | undefined

  return async function erase(reference: string, typed: string): Promise<unknown> {
    const address = await addressOf(db, reference)
    if (typed.toLowerCase() !== address.toLowerCase()) throw wrongAddress()
    if (running)
      throw new Problem('conflict', 'Another person is being erased. Please try again in a minute.')
    running = runCommand(env, address).finally(() => {
      running = undefined
    })
    // Without this, a failure after the response would crash the server.
    running.catch(() => {})
    return Promise.race([running, sleep(patienceMs, undefined, { ref: false }).then(reportSlow)])
  }
}

async function addressOf(db: Database, reference: string): Promise<string> {
  const lead = await db
    .selectFrom('leads')
    .select('email')
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
  return lead.email
}

function wrongAddress(): Problem {
  const message = "This is not the person's address. Type it as it is shown."
  return new Problem('invalid_input', message, { errors: [{ field: 'email', message }] })
}

async function runCommand(env: NodeJS.ProcessEnv, address: string): Promise<unknown> {
  const options = { env, maxBuffer: MAX_REPORT_BYTES }
  const args = [join(import.meta.dirname, '../../cli/leads.ts'), 'erase', '--yes', '--json', '-']
  const command = promisify(execFile)(process.execPath, args, options)
  // If the child can't start, writing fails, too. Its exit says why.
  command.child.stdin?.on('error', () => {})
  // The address is passed on stdin, because every user can see the arguments in the process list.
  command.child.stdin?.end(address)
  const { stdout, code } = await command.then(
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

function reportSlow(): never {
  throw new Problem(
    'conflict',
    'This takes longer than usual and is still running. In a few minutes, run "leads erase" on the server to see whether anything is left.',
  )
}
