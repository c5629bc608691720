import type { Need } from '../testing/needs.ts'
import { newDatabase } from './postgres-server.ts'
import { queryDatabase } from './query-database.ts'
import { runCli } from './run-cli.ts'
import { PERSON, type UsedDataDir } from './used-data-dir.ts'

type Settings = { DATA_DIR: string; DATABASE_URL?: string }

/** A command that changes files, and what must be true after it is killed. */
export type MaintenanceCommand = {
  what: string
  needs?: readonly Need[]
  args: (contents: UsedDataDir) => string[]
  /** Settings in addition to DATA_DIR. */
  env?: () => Promise<Record<string, string>>
  /** The references of the leads that must still be there. */
  keeps: (contents: UsedDataDir) => string[]
  /** Returns what else is wrong at the end. */
  faults?: (settings: Settings, contents: UsedDataDir) => Promise<string[]>
}

const all = ({ references }: UsedDataDir) => references
const ofOthers = (contents: UsedDataDir) => contents.ofOthers
const eraseArgs = () => ['leads', 'erase', PERSON, '--yes']

export const maintenanceCommands: MaintenanceCommand[] = [
  { what: 'backup', args: () => ['backup'], keeps: all },
  { what: 'restore', args: ({ backup }) => ['restore', backup], keeps: all },
  { what: 'leads erase', args: eraseArgs, keeps: ofOthers, faults: eraseAgain },
  {
    what: 'leads copy to PostgreSQL',
    needs: ['postgres'],
    args: () => ['leads', 'copy'],
    env: async () => ({ DATABASE_URL: await newDatabase() }),
    keeps: all,
    faults: copyAgain,
  },
]

/** Running the killed command again must finish the job. */
async function eraseAgain({ DATA_DIR }: Settings): Promise<string[]> {
  const { code, output } = await runCli(eraseArgs(), { env: { DATA_DIR } })
  const NOTHING_LEFT = 3
  return code === 0 || code === NOTHING_LEFT ? [] : [`a second erase exits with ${code}: ${output.trim()}`]
}

/** The killed command must have copied all leads or none. If none, running it again must copy them. */
async function copyAgain({ DATA_DIR, DATABASE_URL = '' }: Settings, { references }: UsedDataDir) {
  const countCopied = () =>
    // The command may be killed before it has created the tables.
    queryDatabase({ DATA_DIR, DATABASE_URL }, (stored) => stored.count('from leads')).catch(() => 0)
  const copied = await countCopied()
  if (copied === references.length) return []
  if (copied > 0) return [`${copied} leads copied`]
  const { code, output } = await runCli(['leads', 'copy'], { env: { DATA_DIR, DATABASE_URL } })
  return code === 0 ? [] : [`a second copy exits with ${code}: ${output.trim()}`]
}
