import { backlog } from './cases/backlog.ts'
import { churn } from './cases/churn.ts'
import { clockJump } from './cases/clock.ts'
import { copies } from './cases/copies.ts'
import { crumbs } from './cases/crumbs.ts'
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
import { lostPostgres } from './cases/lost-postgres.ts'
import { maintenance } from './cases/maintenance.ts'
import { malformed } from './cases/malformed.ts'
import { migrations } from './cases/migrations.ts'
import { neverTold } from './cases/never-told.ts'
import { npmStops } from './cases/npm-stop.ts'
import { pooler } from './cases/pooler.ts'
import { powerCuts } from './cases/power-cut.ts'
import { privateFiles } from './cases/private-files.ts'
import { relayReplies } from './cases/relay-replies.ts'
import { relaySilence } from './cases/relay-silence.ts'
import { silentPostgres } from './cases/silent-postgres.ts'
import { slowClients } from './cases/slow-clients.ts'
import { starts } from './cases/start.ts'
import { stops } from './cases/stop.ts'
import { systemCallKills } from './cases/system-calls.ts'
import { unreadAnswers } from './cases/unread-answers.ts'
import type { FaultCase } from './fault-case.ts'

// The file and its WAL, what the operating system does to them, and this machine's clock (PostgreSQL has its own).
const aboutSqlite = [
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
].map((faultCase): FaultCase => ({ ...faultCase, isAboutSqlite: true }))

export const allCases: readonly FaultCase[] = [
  ...kills,
  ...copies,
  ...silentPostgres,
  ...lostPostgres,
  ...pooler,
  ...aboutSqlite,
  ...neverTold,
  fullLog,
  ...relaySilence,
  ...relayReplies,
  ...backlog,
  firewall,
  latency,
  ...slowClients,
  ...floods,
  ...churn,
  ...logFlood,
  ...unreadAnswers,
  ...hostileText,
  ...malformed,
  ...crumbs,
  ...idempotency,
  ...stops,
  ...npmStops,
]
