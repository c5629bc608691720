import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { StorageSettings } from '../../../database/open-storage.ts'
import { createDatabase, type TestPostgres } from '../../testing/postgres.ts'
import { launchProgram, newDataDir, startProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { findLost, placeEarlier, readContent } from '../../upgrade/earlier.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { newDatabase, ownPostgres } from '../postgres-server.ts'
import { injectInto, killedAt, storageCalls } from '../strace.ts'

// With these, Node.js sends statements to PostgreSQL.
const socketCalls = ['write', 'writev']
// With these, PostgreSQL writes its log, and flushes it.
const logCalls = ['pwrite64', 'fdatasync']
// What a start does itself: it forgets networks and sign-ins of more than a day ago, queues what was being sent, and names
// leads in a list. Its notes are about itself.
const changedAtStart = {
  leads: ['client', 'form_token', 'awaits_list', 'listed_at'],
  outbox: ['state', 'due_at'],
  settings: ['value'],
}
const keptAtStart = ['leads', 'lead_events', 'lead_drafts', 'lead_texts', 'outbox', 'outbox_attempts']
const ofOwners = ['sessions', 'passkeys', 'push_subscriptions', 'settings']

/** Upgrades the database, which is killed, or whose server is killed, at the nth call. Returns whether it was. */
type Kill = (settings: StorageSettings, call: string, nth: number, nodeOptions: string[]) => Promise<boolean>

export const upgradeCases: FaultCase[] = [
  {
    family: 'upgrade',
    fault: 'of what the last version before 1.0.0 has stored, killed at each call that changes a file',
    expected: 'the server starts, and everything is there',
    needs: ['strace'],
    run: () => report(killAtEach(storageCalls, killProgram)),
  },
  {
    family: 'upgrade',
    fault: 'the same on PostgreSQL, killed at each call that sends something',
    expected: 'the server starts, and everything is there',
    needs: ['strace', 'postgres'],
    run: () => report(killAtEach(socketCalls, killProgram, { newUrl: newDatabase })),
  },
  {
    family: 'upgrade',
    fault: 'the same, while PostgreSQL is killed at each call that writes or flushes its log',
    expected: 'the server starts, and everything is there',
    needs: ['strace', 'postgres'],
    async run() {
      await using server = await ownPostgres()
      let databases = 0
      const newUrl = () => createDatabase(server.urlOf('postgres'), `upgraded_${++databases}`)
      return await report(killAtEach(logCalls, killPostgres(server), { newUrl }))
    },
  },
  ...([false, true] as const).map((isOnPostgres) =>
    control({
      what: `an upgrade can be killed at any call${isOnPostgres ? ', on PostgreSQL' : ''}`,
      weakness: 'upgrades without a transaction',
      needs: ['strace', ...(isOnPostgres ? (['postgres'] as const) : [])],
      check: async (weakness) =>
        isOnPostgres
          ? (await killAtEach(socketCalls, killProgram, { newUrl: newDatabase, weakness })).faults
          : (await killAtEach(storageCalls, killProgram, { weakness })).faults,
    }),
  ),
]

type Options = { newUrl?: () => Promise<string>; weakness?: Weakness }

/** Upgrades copies of the same database, each killed at another call. Stops at the first kill after which something is wrong. */
async function killAtEach(calls: readonly string[], kill: Kill, { newUrl, weakness }: Options = {}) {
  const nodeOptions = weakenedBy(weakness)
  let killed = 0
  for (const call of calls)
    for (let nth = 1; ; nth += Math.ceil(nth / 8)) {
      using folder = newDataDir()
      const settings = { DATA_DIR: folder.path, ...(newUrl && { DATABASE_URL: await newUrl() }) }
      await placeEarlier(settings)
      const before = await readContent(settings)
      if (!(await kill(settings, call, nth, nodeOptions))) break
      killed++
      const faults = await startAgain(settings, nodeOptions)
      if (faults.length === 0) {
        const after = await readContent(settings)
        const wanted = Object.entries(before).filter(([table]) =>
          [...keptAtStart, ...ofOwners].includes(table),
        )
        faults.push(...findLost(Object.fromEntries(wanted), after, changedAtStart))
      }
      if (faults.length > 0) return { killed, faults: [`killed at ${call} ${nth}`, ...faults] }
    }
  return { killed, faults: [] }
}

async function report(upgrades: ReturnType<typeof killAtEach>) {
  const { killed, faults } = await upgrades
  expectThat(killed > 0 && faults.length === 0, faults.join('; ') || 'never killed')
  return `killed ${killed} times, nothing is lost`
}

// Without SMTP_URL, the emails stay queued, because the earlier server had one.
const envOf = (settings: StorageSettings) => ({
  ...(settings as Record<string, string>),
  MAIL_TO: 'anna@agency.example,bob@agency.example',
})

const killProgram: Kill = async (settings, call, nth, nodeOptions) => {
  const program = launchProgram(envOf(settings), { through: killedAt(call, nth), nodeOptions })
  const isReady = await becomesReady(program)
  await program.stop('SIGKILL')
  // The start has fewer of these calls.
  return !isReady
}

/** Kills any of PostgreSQL's processes, which makes it end all of them, and starts PostgreSQL again. */
const killPostgres =
  (server: TestPostgres): Kill =>
  async (settings, call, nth, nodeOptions) => {
    const [pid] = readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')
    const tracer = await injectInto(Number(pid), `${call}:signal=KILL:when=${nth}`)
    const program = launchProgram(envOf(settings), { nodeOptions })
    const isReady = await becomesReady(program)
    await program.stop('SIGKILL')
    // Before strace detaches: otherwise, PostgreSQL sometimes isn't told that a process of its own has ended, and waits for it.
    await server.stop('immediate')
    await tracer.detach()
    // PostgreSQL doesn't start while one is left.
    await waitUntil('its processes have ended', () => !hasProcessIn(join(server.folder, 'data')))
    await server.start()
    return !isReady
  }

const hasProcessIn = (folder: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder
      } catch {
        // It has ended.
        return false
      }
    })

const becomesReady = ({ ready }: ReturnType<typeof launchProgram>) =>
  ready.then(
    () => true,
    () => false,
  )

async function startAgain(settings: StorageSettings, nodeOptions: string[]): Promise<string[]> {
  const program = await startProgram(envOf(settings), { nodeOptions }).catch((error: Error) => error)
  if (program instanceof Error)
    return [`doesn't start (${program.message.split('\n').find((line) => !line.startsWith('{'))})`]
  const code = await program.stop()
  return code === 0 ? [] : [`exits with ${code}`]
}
