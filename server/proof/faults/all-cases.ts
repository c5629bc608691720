import { answerKills } from './cases/answer-kills.ts'
import { answers } from './cases/answers.ts'
import { backlog } from './cases/backlog.ts'
import { clockJump } from './cases/clock.ts'
import { eraseRestart } from './cases/erase-restart.ts'
import { firewall } from './cases/firewall.ts'
import { floods } from './cases/floods.ts'
import { foreignLock } from './cases/foreign-lock.ts'
import { foreignOpens } from './cases/foreign-opens.ts'
import { fullDisk } from './cases/full-disk.ts'
import { fullLog } from './cases/full-log.ts'
import { hostileText } from './cases/hostile-text.ts'
import { idempotency } from './cases/idempotency.ts'
import { ioErrors } from './cases/io-errors.ts'
import { kills } from './cases/kills.ts'
import { latency } from './cases/latency.ts'
import { logFlood } from './cases/log-flood.ts'
import { lostDatabase } from './cases/lost-database.ts'
import { lostNotices } from './cases/lost-notices.ts'
import { lostPostgres } from './cases/lost-postgres.ts'
import { maintenance } from './cases/maintenance.ts'
import { malformed } from './cases/malformed.ts'
import { migrations } from './cases/migrations.ts'
import { npmStops } from './cases/npm-stop.ts'
import { pooler } from './cases/pooler.ts'
import { powerCuts } from './cases/power-cut.ts'
import { privateFiles } from './cases/private-files.ts'
import { relayReplies } from './cases/relay-replies.ts'
import { relaySilence } from './cases/relay-silence.ts'
import { reminders } from './cases/reminders.ts'
import { replicas } from './cases/replicas.ts'
import { silence } from './cases/silence.ts'
import { silentPostgres } from './cases/silent-postgres.ts'
import { starts } from './cases/start.ts'
import { stops } from './cases/stop.ts'
import { systemCallKills } from './cases/system-calls.ts'
import { webhook } from './cases/webhook.ts'
import type { FaultCase } from './fault-case.ts'

// These cases run only with SQLite: they test its files and the program's system calls on them, or they change the program's
// clock, which wouldn't matter with PostgreSQL, because the program then follows the database's clock.
const sqliteCases = [
  ...systemCallKills,
  ...ioErrors,
  ...fullDisk,
  foreignLock,
  eraseRestart,
  ...starts,
  ...migrations,
  ...maintenance,
  ...foreignOpens,
  ...privateFiles,
  ...powerCuts,
  ...lostDatabase,
  clockJump,
  ...reminders,
  ...silence,
].map((faultCase): FaultCase => ({ ...faultCase, isSqliteOnly: true }))

export const allCases: readonly FaultCase[] = [
  ...kills,
  ...replicas,
  ...silentPostgres,
  ...lostPostgres,
  ...pooler,
  ...sqliteCases,
  ...lostNotices,
  ...answerKills,
  ...answers,
  fullLog,
  ...relaySilence,
  ...relayReplies,
  ...backlog,
  ...webhook,
  firewall,
  latency,
  ...floods,
  ...logFlood,
  ...hostileText,
  ...malformed,
  ...idempotency,
  ...stops,
  ...npmStops,
]
