import { sql } from 'kysely'
import { type BackupSurroundings, findNewestBackup } from '../backup/newest-backup.ts'
import { count } from '../count.ts'
import { isPooled } from '../database/postgres/is-pooled.ts'
import { connect, findLaxSettings, readAge } from '../database/postgres/open-postgres.ts'
import type { Database } from '../database/schema.ts'
import { isStorageError } from '../database/storage-error.ts'
import { checkBackups } from './backups.ts'
import { checkContents } from './contents.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('database')
const aboutLine = findingsAbout('line to the database')
const aboutClock = findingsAbout('clock of this machine')

// Nothing goes by the clock of this machine but its log.
const CLOCK_TOLERANCE_MS = 60_000

/** Looks into PostgreSQL, beside the copies that run on it: does it answer and keep its word, does the mail flow. */
export async function checkPostgres(
  url: string,
  smtpUrl: string | undefined,
  backups: BackupSurroundings,
): Promise<Finding[]> {
  const db = connect(url, 'visitor')
  try {
    const { version, isEncrypted, now } = await greet(db)
    const whole = await checkWhole(db, version)
    const line = [checkLine(url, isEncrypted), ...(await checkPooler(url)), checkLocalClock(now)]
    if (whole.state === 'problem' || (await readAge(db)) !== 'current') return [whole, ...line]
    const newest = await findNewestBackup(db, backups, now)
    return [
      whole,
      ...line,
      ...(await checkContents(db, smtpUrl, now)),
      ...checkBackups(newest, now, backups.everyHours),
    ]
  } catch (error) {
    if (!isStorageError(error)) throw error
    return [
      about.problem(
        `PostgreSQL cannot be used: ${(error as Error).message}.`,
        'Check DATABASE_URL, and whether the server runs and lets this machine in.',
      ),
    ]
  } finally {
    await db.destroy()
  }
}

async function greet(db: Database) {
  const { rows } = await sql<{ version: string; ssl: boolean | null; now: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as now,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as ssl`.execute(db)
  const [row] = rows
  return { version: row?.version ?? '', isEncrypted: row?.ssl === true, now: row?.now ?? new Date() }
}

async function checkWhole(db: Database, version: string): Promise<Finding> {
  const lax = await findLaxSettings(db)
  if (lax.length > 0)
    return about.problem(
      `PostgreSQL runs with ${lax.join(', ')}: what is confirmed would not be kept as it is.`,
      'Switch on what is off, for a power cut; an encoding other than UTF8 needs a new database.',
    )
  const age = await readAge(db)
  if (age === 'newer')
    return about.problem(
      'The database was written by a newer version of this program.',
      'Start that version.',
    )
  if (age === 'empty')
    return about.warning('The database is empty.', 'Start the server once; it makes the tables.')
  if (age === 'older')
    return about.warning(
      'The database has an older shape.',
      'The next start of the server brings it up to date.',
    )
  const { leads } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  return about.ok(`PostgreSQL ${version} answers and keeps what it confirms, with ${count(leads, 'lead')}.`)
}

function checkLine(url: string, isEncrypted: boolean): Finding {
  if (isEncrypted) return aboutLine.ok('It is encrypted.')
  const { hostname, searchParams } = new URL(url)
  if (searchParams.get('host')?.startsWith('/') || isNear(hostname))
    return aboutLine.ok('It does not leave this machine or its containers.')
  return aboutLine.warning(
    `Leads and password travel to ${hostname} in the clear.`,
    'Add sslmode=verify-full to DATABASE_URL; for a certificate of your own also sslrootcert=FILE.',
  )
}

// The same machine, or a container beside this one.
const isNear = (hostname: string) => /^(127\.|\[::1\]$|[\w-]*$)/.test(hostname)

/** Sessions are set up by a statement, which a pooler in transaction mode may run on another connection than the next. */
async function checkPooler(url: string): Promise<Finding[]> {
  if (!(await isPooled(url))) return []
  return [
    aboutLine.warning(
      'A pooler is between this program and PostgreSQL.',
      'Give DATABASE_URL the address of PostgreSQL: the program pools its connections. A pooler in session mode works too; in transaction mode, durability settings of a session can get lost.',
    ),
  ]
}

function checkLocalClock(now: Date): Finding {
  const seconds = Math.round(Math.abs(Date.now() - now.getTime()) / 1000)
  if (seconds * 1000 > CLOCK_TOLERANCE_MS)
    return aboutClock.warning(
      `It differs from the database's by ${count(seconds, 'second')}.`,
      'Everything goes by that of the database; check which of the two is wrong, and switch on time synchronisation.',
    )
  return aboutClock.ok('It agrees with that of the database, by which everything goes.')
}
