import { readFileSync } from 'node:fs'
import { openExistingStorage, type StorageSettings } from '../../database/open-storage.ts'
import { memorySettings, newDataDir, startProgram } from '../testing/start-program.ts'
import { type PostLoad, postMany } from './post-load.ts'

export type Subject = Awaited<ReturnType<typeof openSubject>>

/**
 * Starts the real program. It is paused except during its own measurements: otherwise, remaining work, such as sending
 * email, would slow down the baseline. Disposing of it stops it and checks that every acknowledged lead is stored.
 */
export async function openSubject(env: Record<string, string>, dataDir = newDataDir()) {
  const program = await startProgram({
    DATA_DIR: dataDir.path,
    // Makes the server use the address that each post states in X-Forwarded-For.
    TRUST_PROXY: '1',
    // Too high to be reached, because we don't measure the rate limit.
    CONTACT_LIMIT: '1000000',
    EMAILS_A_DAY: '0',
    ...memorySettings,
    ...env,
  })
  const settings = { DATA_DIR: dataDir.path, DATABASE_URL: env.DATABASE_URL }
  const storedBefore = await countLeads(settings)
  let confirmed = 0
  process.kill(program.pid, 'SIGSTOP')

  async function measure<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    process.kill(program.pid, 'SIGCONT')
    return work(program.url).finally(() => process.kill(program.pid, 'SIGSTOP'))
  }

  return {
    pid: program.pid,
    measure,
    /** Tells the final check about acknowledged leads that were not sent with `post`. */
    confirm(leads: number) {
      confirmed += leads
    },
    post: (load: PostLoad) =>
      measure(async (url) => {
        const result = await postMany(url, load)
        confirmed += load.amount
        return result
      }),
    residentMb: () => memoryOf(program.pid, 'VmRSS'),
    async [Symbol.asyncDispose]() {
      process.kill(program.pid, 'SIGCONT')
      await program.stop()
      const stored = (await countLeads(settings)) - storedBefore
      dataDir[Symbol.dispose]()
      if (stored !== confirmed)
        throw new Error(`${confirmed} leads were acknowledged, but ${stored} are stored.`)
    },
  }
}

/** A process's memory in MB according to Linux: current (`VmRSS`) or peak (`VmHWM`). */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

async function countLeads(settings: StorageSettings): Promise<number> {
  const db = await openExistingStorage(settings)
  if (!db) return 0
  const { count } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await db.destroy()
  return count
}
