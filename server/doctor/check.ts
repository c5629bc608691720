import type dns from 'node:dns/promises'
import type { Database } from '../database/schema.ts'
import type { Env } from '../env.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { readMounts } from '../files/mount.ts'
import { describeStartError } from '../start/start-error.ts'

/** What a check saw, in plain words; `advice` says what to do, in one sentence. */
export type Found = { state: 'ok' | 'warning' | 'problem'; seen: string; advice: string }
export type Finding = Found & { check: string }

export const ok = (seen: string): Found => ({ state: 'ok', seen, advice: '' })
export const warning = (seen: string, advice: string): Found => ({ state: 'warning', seen, advice })
export const problem = (seen: string, advice: string): Found => ({ state: 'problem', seen, advice })

/** What the checks need to know. Tests replace everything outside of this program. */
export type CheckContext = {
  env: Env
  now: Date
  dns: Pick<typeof dns, 'lookup' | 'resolve6' | 'resolveMx' | 'resolveTxt'>
  /** The time according to somebody else. */
  askTime: () => Promise<Date>
  /** The addresses of this machine's network interfaces. */
  ownAddresses: string[]
  /** The text of `/proc/self/mountinfo`; empty if there is none. */
  mountInfo: string
}

/**
 * For checks of what the database contains. `command` writes a command as it must be entered:
 * inside or outside of Docker.
 */
export type DatabaseContext = CheckContext & { db: Database; command: (words: string) => string }

/** Returns nothing if all is well. */
export type Check = () => Found | Found[] | Promise<Found | Found[]>

/** Runs a check. If it could not be made, that is a finding. */
export const runCheck = async (check: Check): Promise<Found[]> =>
  [await (async () => check())().catch(describeFailure)].flat()

/** Explains why a check could not be made. */
function describeFailure(error: unknown): Found {
  const { syscall, message } = errorFacts(error)
  const advice = 'Correct this, then run doctor again.'
  if (syscall?.startsWith('query')) return warning(`No answer from the internet (DNS): ${message}.`, advice)
  const [seen, next = ''] = describeStartError(error).split('\n')
  // The second line is the cause in parentheses, what to do, or the stack of an unexpected error.
  return problem(next.startsWith('(') ? `${seen} ${next}` : `${seen}`, /^[^\s(]/.test(next) ? next : advice)
}

/**
 * Writes a command for the operator's shell, which is outside of the container if this runs in one.
 */
export function commandsFor(mountInfo: string, databaseUrl = '') {
  const service = databaseUrl.includes('@postgres:') ? 'copies' : 'web'
  return (words: string) =>
    readMounts(mountInfo, '/').isContainer
      ? `docker compose exec ${service} ${words}`
      : `npm run ${words.replace(' ', ' -- ')}`
}
