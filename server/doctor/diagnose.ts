import { existsSync } from 'node:fs'
import { newestBackupFile } from '../backup/newest-backup.ts'
import type { Env } from '../env.ts'
import { checkAlertUrl, sendTestAlert } from './alert-url.ts'
import { checkBackups } from './backups.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { checkDatabase } from './database.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { checkMailServer } from './mail-server.ts'
import { checkProxy } from './proxy.ts'
import { checkRecipients, type ResolveMx } from './recipients.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSenderDomain, type ResolveTxt } from './sender-domain.ts'
import { noTestEmail, sendTestEmails } from './test-email.ts'

/** What the doctor sees of the world outside the program. */
export type Surroundings = {
  source: Record<string, string | undefined>
  resolveTxt: ResolveTxt
  resolveMx: ResolveMx
  /** The text of `/proc/self/mountinfo`; empty where there is none. */
  mountInfo: string
  now: Date
  /** Whether a test email and a test alert are wanted. */
  isSending?: boolean
}

type Look = () => Finding | Finding[] | Promise<Finding | Finding[]>
type Looks = Record<string, Look>
type Settings = Surroundings & {
  env: Env
  /** Whether all of these could be read. What depends on one that could not is left to whoever fixes it. */
  isUsable: (...names: (keyof Env | 'SMTP_URL_FILE')[]) => boolean
}

/** Looks at everything that an installation needs and changes nothing. */
export async function diagnose(surroundings: Surroundings): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of findOneByOne(surroundings)) findings.push(finding)
  return findings
}

/** The same, each finding as soon as it is there: a server that does not answer takes its time. */
export async function* findOneByOne(surroundings: Surroundings): AsyncGenerator<Finding> {
  const { env, unusable, findings } = checkConfiguration(surroundings.source)
  const isUsable: Settings['isUsable'] = (...names) => names.every((name) => !unusable.has(name))
  const settings = { ...surroundings, env, isUsable }
  const looks = {
    ...emailLooks(settings),
    ...(isUsable('ALERT_URL') && { alerts: alertLook(settings) }),
    ...(isUsable('SITE_URL', 'TRUST_PROXY') && { proxy: () => checkProxy(env) }),
    ...(isUsable('DATABASE_URL') && storageLooks(settings)),
  }
  yield* findings
  for (const [name, look] of Object.entries(looks)) yield* await examine(name, look)
}

const siteUrlOf = ({ SITE_URL, PORT }: Env) => SITE_URL ?? `http://localhost:${PORT}`

function emailLooks({ env, isUsable, isSending, now, resolveTxt, resolveMx }: Settings): Looks {
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom, MAIL_TO: mailTo } = env
  const isServerKnown = isUsable('SMTP_URL', 'SMTP_URL_FILE')
  const order = smtpUrl && { smtpUrl, mailFrom, mailTo, siteUrl: siteUrlOf(env), now }
  let login: Finding | undefined
  const logIn = async () => {
    login = await checkMailServer(smtpUrl)
    return login
  }
  return {
    ...(isServerKnown && { 'mail server': logIn }),
    // Files need no domain.
    ...(smtpUrl &&
      isUsable('MAIL_FROM') && { 'sender domain': () => checkSenderDomain(mailFrom.address, resolveTxt) }),
    ...(isUsable('MAIL_TO') && {
      recipients: () => checkRecipients(mailTo, smtpUrl !== undefined || !isServerKnown, resolveMx),
    }),
    ...(isSending &&
      order &&
      isServerKnown &&
      isUsable('MAIL_FROM', 'MAIL_TO') && {
        'test email': () => (login?.state === 'problem' ? noTestEmail : sendTestEmails(order)),
      }),
  }
}

const alertLook =
  ({ env, isSending, now }: Settings): Look =>
  () =>
    isSending && env.ALERT_URL
      ? sendTestAlert(env.ALERT_URL, siteUrlOf(env), now)
      : checkAlertUrl(env.ALERT_URL)

function storageLooks({ source, env, isUsable, mountInfo, now }: Settings): Looks {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: everyHours, DATABASE_URL } = env
  const backups = { dataDir, backupDir, everyHours, mountInfo }
  // A malformed one is not a missing one.
  const smtpUrl = env.SMTP_URL ?? (source.SMTP_URL || source.SMTP_URL_FILE)
  const server: Looks = isUsable('PORT') ? { server: () => checkRunningServer(env) } : {}
  if (DATABASE_URL)
    return {
      database: async () => (await import('./postgres.ts')).checkPostgres(DATABASE_URL, smtpUrl, backups),
      ...server,
    }
  return {
    'data directory': () => checkDataDirectory(dataDir, backupDir, mountInfo),
    ...(existsSync(dataDir) && {
      database: () => checkDatabase(dataDir, smtpUrl, now),
      backup: () => checkBackups(newestBackupFile(backups, now), now, everyHours),
      ...server,
    }),
  }
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
