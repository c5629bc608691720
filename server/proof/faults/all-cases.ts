import { diskCases } from './cases/disk.ts'
import { httpCases } from './cases/http.ts'
import { kills, systemCallKills } from './cases/kills.ts'
import { mailboxCases } from './cases/mailbox.ts'
import { maintenance } from './cases/maintenance.ts'
import { postgresCases } from './cases/postgres.ts'
import { powerCuts } from './cases/power-cut.ts'
import { relayCases } from './cases/relay.ts'
import { replicas } from './cases/replicas.ts'
import { starts } from './cases/start.ts'
import { stopCases } from './cases/stop.ts'
import { tokenCases } from './cases/tokens.ts'
import { upgradeCases } from './cases/upgrade.ts'
import type { FaultCase } from './fault-case.ts'

// These cases run only with SQLite: they test its files and the program's system calls on them, or
// choose the database.
const sqliteCases = [systemCallKills, diskCases, starts, upgradeCases, maintenance, powerCuts].flat()

export const allCases: readonly FaultCase[] = [
  ...[kills, replicas, postgresCases].flat(),
  ...sqliteCases.map((faultCase) => ({ ...faultCase, isSqliteOnly: true })),
  ...[httpCases, relayCases, mailboxCases, tokenCases, stopCases].flat(),
]
