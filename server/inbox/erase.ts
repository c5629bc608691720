import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../errors/problem.ts'
import { getLead } from '../leads/change/change-lead.ts'
import { hasWrittenFrom } from '../leads/search/senders.ts'
import type { InboxDeps } from './inbox-deps.ts'

/**
 * Erases everything about the person who sent a lead, or who has written about it, if the owner has
 * typed that person's address. Runs `leads erase` in a child process, because compacting the
 * database would block all requests of this one. It ends even if the owner no longer waits for it.
 * Resolves to the command's report, even if something could not be erased. Throws a Problem if the
 * command fails.
 */
export async function erase(
  { db }: Pick<InboxDeps, 'db'>,
  reference: string,
  typed: string,
): Promise<unknown> {
  const { id, email } = await getLead(db, reference)
  const isSender = typed.toLowerCase() === email.toLowerCase()
  if (!isSender && !(await hasWrittenFrom(db, id, typed)))
    throw new Problem('invalid_input', "This is not the person's address. Type it as it is shown.")
  const args = [join(import.meta.dirname, '../cli/leads.ts'), 'erase', '--yes', '--json', '-']
  const command = promisify(execFile)(process.execPath, args)
  // If the child can't start, writing fails, too. Its exit says why.
  command.child.stdin?.on('error', () => {})
  // The address is passed on stdin, because every user can see the arguments in the process list.
  command.child.stdin?.end(typed)
  // After a partial erasure, the command fails, but its report says what could not be erased.
  const { stdout = '' } = await command.catch((failed: { stdout?: string }) => failed)
  if (stdout.startsWith('{')) return JSON.parse(stdout)
  throw new Problem(
    'storage_unavailable',
    'The person could not be erased. Please try again. If it fails again, run "leads erase" on the server to see why.',
  )
}
