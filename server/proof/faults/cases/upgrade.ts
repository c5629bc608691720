import type { StorageSettings } from '../../../database/open-storage.ts'
import { launchProgram, newDataDir } from '../../testing/start-program.ts'
import { findLost, placeEarlier, readContent } from '../../upgrade/earlier.ts'
import { checkRestart } from '../check-restart.ts'
import { control } from '../controls/control.ts'
import { type Weakness, weakenedBy } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { expectNoFault, killAtEach } from '../kill-at-each.ts'
import { newDatabase } from '../postgres-server.ts'
import { killedAt, storageCalls } from '../strace.ts'

// With these, Node.js sends statements to PostgreSQL.
const socketCalls = ['write', 'writev']
// What migrations change, and what a start does itself: it forgets networks and sign-ins of more
// than a day ago, queues what was being sent, and names leads in a list. Its notes are about
// itself.
const changedAtStart = {
  leads: ['client', 'form_token', 'awaits_list', 'listed_at', 'state', 'sort_key'],
  lead_events: ['before', 'received'],
  outbox: ['state', 'due_at'],
  settings: ['value'],
}
const kept = [
  ...[
    'leads',
    'lead_events',
    'lead_drafts',
    'lead_texts',
    'outbox',
    'outbox_attempts',
    'files',
    'file_parts',
  ],
  ...['sessions', 'passkeys', 'push_subscriptions', 'settings'],
]

export const upgradeCases = [false, true].flatMap((isOnPostgres): FaultCase[] => {
  const needs = ['strace', ...(isOnPostgres ? (['postgres'] as const) : [])] as const
  return [
    {
      family: 'upgrade',
      fault: isOnPostgres
        ? 'the same on PostgreSQL, killed at each call that sends something'
        : 'of what the last version before 1.0.0 has stored, killed at each call that changes a file',
      expected: 'the server starts, and everything is there',
      needs,
      run: () => expectNoFault(killUpgrades(isOnPostgres)),
    },
    control({
      what: `an upgrade can be killed at any call${isOnPostgres ? ', on PostgreSQL' : ''}`,
      weakness: 'upgrades without a transaction',
      needs,
      check: async (weakness) => (await killUpgrades(isOnPostgres, weakness)).faults,
    }),
  ]
})

/** Upgrades copies of the same database, each killed at another call. */
function killUpgrades(isOnPostgres: boolean, weakness?: Weakness) {
  const nodeOptions = weakenedBy(weakness)
  return killAtEach(isOnPostgres ? socketCalls : storageCalls, async (call, nth) => {
    using folder = newDataDir()
    const place = { DATA_DIR: folder.path, ...(isOnPostgres && { DATABASE_URL: await newDatabase() }) }
    await placeEarlier(place)
    const before = await readContent(place)
    // Without SMTP_URL, the emails stay queued, because the earlier server had one.
    const env = { ...place, MAIL_TO: 'anna@agency.example,bob@agency.example' }
    const program = launchProgram(env, { through: killedAt(call, nth), nodeOptions })
    const isReady = await program.ready.then(() => true).catch(() => false)
    await program.stop('SIGKILL')
    // The start has fewer of these calls.
    if (isReady) return undefined
    const { faults } = await checkRestart(env, weakness)
    return faults.length > 0 ? faults : await lostSince(before, place)
  })
}

async function lostSince(before: Awaited<ReturnType<typeof readContent>>, place: StorageSettings) {
  const wanted = Object.entries(before).filter(([table]) => kept.includes(table))
  return findLost(Object.fromEntries(wanted), await readContent(place), changedAtStart)
}
