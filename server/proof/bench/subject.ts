import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { StorageSettings } from '../../database/open-storage.ts'
import { hashToken } from '../../inbox/sign-in/codes.ts'
import { queryDatabase } from '../faults/query-database.ts'
import { median } from '../testing/percentile.ts'
import { openRelay } from '../testing/relay.ts'
import { launchProgram, memorySettings, newDataDir, startProgram } from '../testing/start-program.ts'
import { type Load, postMany } from './load.ts'
import type { Row } from './row.ts'

const STARTS = 9
// Linux reports CPU time in hundredths of a second (USER_HZ) on every machine.
const MS_PER_TICK = 10

export const OWNER = 'owner@plumbline.example'

export type Subject = Awaited<ReturnType<typeof openSubject>>

type Options = {
  env?: Record<string, string>
  /** Existing data, which is kept. */
  data?: { path: string }
  /** Whether the mail server says nothing, so that all emails stay queued. */
  isMailSilent?: boolean
}

/**
 * Starts the real program, and a mail server. It is paused except during its own measurements:
 * otherwise, remaining work, such as sending email, would slow down the baseline. Disposing of it
 * stops it and checks that every acknowledged lead is stored.
 */
export async function openSubject({ env = {}, data, isMailSilent = false }: Options = {}) {
  const relay = await openRelay()
  if (isMailSilent) relay.misbehave('connect', () => undefined)
  const ownData = newDataDir()
  const { path } = data ?? ownData
  const program = await startProgram({
    DATA_DIR: path,
    SMTP_URL: relay.url,
    // Makes the server use the address that each post states in X-Forwarded-For.
    TRUST_PROXY: '1',
    // Too high to be reached, because we don't measure the rate limit.
    CONTACT_LIMIT: '1000000',
    EMAILS_A_DAY: '0',
    ...memorySettings,
    ...env,
  })
  const settings = { DATA_DIR: path, DATABASE_URL: env.DATABASE_URL }
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
    post: (load: Load) =>
      measure(async (url) => {
        const result = await postMany(url, load)
        confirmed += load.amount
        return result
      }),
    /** The emails that have been sent. */
    emails: relay.emails,
    residentMb: () => memoryOf(program.pid, 'VmRSS'),
    async [Symbol.asyncDispose]() {
      process.kill(program.pid, 'SIGCONT')
      await program.stop()
      const stored = (await countLeads(settings)) - storedBefore
      ownData[Symbol.dispose]()
      await relay.close()
      if (stored !== confirmed)
        throw new Error(`${confirmed} leads were acknowledged, but ${stored} are stored.`)
    },
  }
}

/** The user and system time of a process in ms, according to Linux. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(userTicks) + Number(systemTicks)) * MS_PER_TICK
}

/** A process's memory in MB according to Linux: current (`VmRSS`) or peak (`VmHWM`). */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

const countLeads = (settings: StorageSettings) => queryDatabase(settings, ({ count }) => count('from leads'))

/**
 * Measures the time from the launch of the program until it is ready, with the database in this
 * data directory.
 */
export async function startRow(figure: string, dataDir: string): Promise<Row> {
  const times: number[] = []
  for (let count = 0; count < STARTS; count++) {
    const startedAt = performance.now()
    const program = launchProgram({ DATA_DIR: dataDir })
    await program.ready
    times.push(performance.now() - startedAt)
    await program.stop()
  }
  return { figure, unit: 'ms', ours: median(times), target: { atMost: 1_000 } }
}

/**
 * Signs an owner in by storing a session. Returns the headers that the inbox sends with its
 * requests.
 */
export async function signIn(settings: StorageSettings): Promise<Record<string, string>> {
  const token = randomUUID()
  const at = new Date().toISOString()
  const session = { id: hashToken(token), owner: OWNER, browser: 'bench', signed_in_at: at, seen_at: at }
  await queryDatabase(settings, ({ db }) => db.insertInto('sessions').values(session).execute())
  return { Cookie: `inbox-session=${token}`, 'Sec-Fetch-Site': 'same-origin' }
}
