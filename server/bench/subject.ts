import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { newDataDir, startProgram } from '../testing/start-program.ts'
import { type PostLoad, postMany } from './post-load.ts'

export type Subject = Awaited<ReturnType<typeof openSubject>>

/**
 * The real program in a process of its own, halted while it is not the one that is measured: what it still has to do,
 * such as sending mail, must not slow the other side down. At its end it must have stored what it has confirmed.
 */
export async function openSubject(env: Record<string, string>, dataDir = newDataDir()) {
  const program = await startProgram({
    DATA_DIR: dataDir.path,
    // Every visitor comes from an address of its own; the limit is not the subject.
    TRUST_PROXY: '1',
    CONTACT_LIMIT: '1000000',
    // As in the image.
    MALLOC_ARENA_MAX: '1',
    ...env,
  })
  const storedBefore = countLeads(dataDir.path)
  let confirmed = 0
  process.kill(program.pid, 'SIGSTOP')

  async function measure<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
    process.kill(program.pid, 'SIGCONT')
    return work(program.url).finally(() => process.kill(program.pid, 'SIGSTOP'))
  }

  return {
    measure,
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
      const stored = countLeads(dataDir.path) - storedBefore
      dataDir[Symbol.dispose]()
      if (stored !== confirmed) throw new Error(`${confirmed} leads were confirmed, ${stored} are stored`)
    },
  }
}

/** A process's memory in MB, as Linux counts it: now (`VmRSS`) or at most (`VmHWM`). */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

function countLeads(dataDir: string): number {
  const db = new Sqlite(join(dataDir, 'leads.db'), { fileMustExist: true })
  const count = db.prepare<[], number>('select count(*) from leads').pluck().get()
  db.close()
  return count ?? 0
}
