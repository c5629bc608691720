import { sql } from 'kysely'
import { type BackupContext, findNewestBackup } from '../backup/newest-backup.ts'
import { count } from '../count.ts'
import { connect, findUnsafeSettings, readAge } from '../database/postgres.ts'
import type { Database } from '../database/schema.ts'
import { isStorageError } from '../database/storage-error.ts'
import { checkBackups } from './backups.ts'
import { checkContents, type RelatedSettings } from './contents.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { isNearby } from './network.ts'
import { checkSchemaAge } from './schema-finding.ts'

const about = findingsAbout('database')
const aboutConnection = findingsAbout('connection')
const aboutClock = findingsAbout('local clock')

// An email that is being sent is leased for two minutes.
const CLOCK_TOLERANCE_MS = 10_000

/** Checks PostgreSQL while replicas use it: durability, connection, contents and backups. */
export async function checkPostgres(
  url: string,
  settings: RelatedSettings,
  backups: BackupContext,
): Promise<Finding[]> {
  const db = connect(url, 'visitor')
  try {
    const { version, isEncrypted, now } = await readServerFacts(db)
    const database = await checkVersion(db, version)
    const connection = [checkEncryption(url, isEncrypted), checkLocalClock(now)]
    if (database.state === 'problem' || (await readAge(db)) !== 'current') return [database, ...connection]
    const newest = await findNewestBackup(db, backups, now)
    return [
      database,
      ...connection,
      ...(await checkContents(db, settings, now)),
      ...checkBackups(newest, now, backups.everyHours),
    ]
  } catch (error) {
    if (!isStorageError(error)) throw error
    return [
      about.problem(
        `PostgreSQL cannot be used: ${(error as Error).message}.`,
        'Check DATABASE_URL, and whether PostgreSQL is running and accepts connections from this machine.',
      ),
    ]
  } finally {
    await db.destroy()
  }
}

async function readServerFacts(db: Database) {
  const { rows } = await sql<{ version: string; ssl: boolean | null; now: Date }>`
    select current_setting('server_version') as version, clock_timestamp() as now,
      (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as ssl`.execute(db)
  const [row] = rows
  return { version: row?.version ?? '', isEncrypted: row?.ssl === true, now: row?.now ?? new Date() }
}

async function checkVersion(db: Database, version: string): Promise<Finding> {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length > 0)
    return about.problem(
      `PostgreSQL runs with ${unsafe.join(', ')}: it could lose or alter confirmed leads.`,
      'Turn on the settings that are off, so that leads survive a power failure. If the encoding is not UTF8, create a new database.',
    )
  const otherVersion = checkSchemaAge('The database', await readAge(db))
  if (otherVersion) return otherVersion
  const { leads } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  return about.ok(`PostgreSQL ${version} responds and stores durably, with ${count(leads, 'lead')}.`)
}

function checkEncryption(url: string, isEncrypted: boolean): Finding {
  if (isEncrypted) return aboutConnection.ok('It is encrypted.')
  const { hostname, searchParams } = new URL(url)
  if (searchParams.get('host')?.startsWith('/') || isNearby(hostname))
    return aboutConnection.ok('It stays on this machine or between its containers.')
  return aboutConnection.warning(
    `Leads and the password are sent to ${hostname} unencrypted.`,
    'Add sslmode=verify-full to DATABASE_URL. For your own certificate, also add sslrootcert=FILE.',
  )
}

function checkLocalClock(now: Date): Finding {
  const seconds = Math.round(Math.abs(Date.now() - now.getTime()) / 1000)
  if (seconds * 1000 > CLOCK_TOLERANCE_MS)
    return aboutClock.warning(
      `It differs from the database clock by ${count(seconds, 'second')}.`,
      'If the clocks of replicas differ by minutes, they can send an email twice. Turn on time synchronization.',
    )
  return aboutClock.ok('It agrees with the database clock.')
}
