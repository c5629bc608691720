import { answerKills } from './cases/answer-kills.ts'
import { clockJump } from './cases/clock.ts'
import { diskCases, fullLog } from './cases/disk.ts'
import { eraseRestart } from './cases/erase-restart.ts'
import { httpCases } from './cases/http.ts'
import { kills } from './cases/kills.ts'
import { lostDatabase } from './cases/lost-database.ts'
import { lostNotices } from './cases/lost-notices.ts'
import { maintenance } from './cases/maintenance.ts'
import { migrations } from './cases/migrations.ts'
import { postgresCases } from './cases/postgres.ts'
import { powerCuts } from './cases/power-cut.ts'
import { privateFiles } from './cases/private-files.ts'
import { relayCases } from './cases/relay.ts'
import { replicas } from './cases/replicas.ts'
import { silence } from './cases/silence.ts'
import { starts } from './cases/start.ts'
import { stopCases } from './cases/stop.ts'
import { systemCallKills } from './cases/system-calls.ts'
import type { FaultCase } from './fault-case.ts'

// These cases run only with SQLite: they test its files and the program's system calls on them, or they change the program's
// clock, which wouldn't matter with PostgreSQL, because the program then follows the database's clock.
const sqliteCases = [
  ...systemCallKills,
  ...diskCases,
  eraseRestart,
  ...starts,
  ...migrations,
  ...maintenance,
  ...privateFiles,
  ...powerCuts,
  ...lostDatabase,
  clockJump,
  ...silence,
].map((faultCase): FaultCase => ({ ...faultCase, isSqliteOnly: true }))

export const allCases: readonly FaultCase[] = [
  ...kills,
  ...replicas,
  ...postgresCases,
  ...sqliteCases,
  ...lostNotices,
  ...answerKills,
  fullLog,
  ...relayCases,
  ...httpCases,
  ...stopCases,
]
