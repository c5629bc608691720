import type dns from 'node:dns/promises'
import type { Database } from '../database/schema.ts'
import type { Env } from '../env.ts'

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
