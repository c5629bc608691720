import { existsSync } from 'node:fs'
import { newestBackupFile } from '../backup/newest-backup.ts'
import { checkBackups } from './backups.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { checkDatabase } from './database.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { checkMailServer } from './mail-server.ts'
import { checkProxy } from './proxy.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSenderDomain, type ResolveTxt } from './sender-domain.ts'

/** What the doctor sees of the world outside the program. */
export type Surroundings = {
  source: Record<string, string | undefined>
  resolveTxt: ResolveTxt
  /** The text of `/proc/self/mountinfo`; empty where there is none. */
  mountInfo: string
  now: Date
}

type Look = () => Finding | Finding[] | Promise<Finding | Finding[]>

/** Looks at everything that an installation needs, one after another, and changes nothing. */
export async function diagnose({ source, resolveTxt, mountInfo, now }: Surroundings): Promise<Finding[]> {
  const { env, findings } = checkConfiguration(source)
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: everyHours, DATABASE_URL } = env
  const backups = { dataDir, backupDir, everyHours, mountInfo }
  const looks: Record<string, Look> = {
    'mail server': () => checkMailServer(env.SMTP_URL),
    // Files need no domain.
    ...(env.SMTP_URL && { 'sender domain': () => checkSenderDomain(env.MAIL_FROM.address, resolveTxt) }),
    proxy: () => checkProxy(env),
    ...(DATABASE_URL
      ? {
          database: async () =>
            (await import('./postgres.ts')).checkPostgres(DATABASE_URL, env.SMTP_URL, backups),
          server: () => checkRunningServer(env),
        }
      : {
          'data directory': () => checkDataDirectory(dataDir, backupDir, mountInfo),
          ...(existsSync(dataDir) && {
            database: () => checkDatabase(dataDir, env.SMTP_URL, now),
            backup: () => checkBackups(newestBackupFile(backups, now), now, everyHours),
            server: () => checkRunningServer(env),
          }),
        }),
  }
  for (const [name, look] of Object.entries(looks)) findings.push(...(await examine(name, look)))
  return findings
}

/** One check that cannot be made does not end the others. */
async function examine(name: string, look: Look): Promise<Finding[]> {
  try {
    return [await look()].flat()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      findingsAbout(name).problem(
        `This could not be examined: ${reason}.`,
        'Run this as the user of the server, who must be able to read and write the data directory.',
      ),
    ]
  }
}
