import { existsSync } from 'node:fs'
import { closedOn } from '#facts/hours.ts'
import { questions } from '#facts/questions.ts'
import { newestBackupFile } from '../backup/newest-backup.ts'
import type { Env } from '../env.ts'
import { errorFacts } from '../error-facts.ts'
import { createRedaction } from '../redaction.ts'
import { checkBackups } from './backups.ts'
import { checkHolidays, checkQuestions } from './business-facts.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { checkDatabase } from './database.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { checkLeadWebhook } from './lead-webhook.ts'
import { checkMailServer } from './mail-server.ts'
import { checkProxy } from './proxy.ts'
import { checkRecipients, type ResolveMx } from './recipients.ts'
import { checkReminders } from './reminders.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSenderDomain, type ResolveTxt } from './sender-domain.ts'
import { noTestEmail, sendTestEmails } from './test-email.ts'

type Deps = {
  source: Record<string, string | undefined>
  resolveTxt: ResolveTxt
  resolveMx: ResolveMx
  /** The text of `/proc/self/mountinfo`; empty if there is none. */
  mountInfo: string
  now: Date
  /** Whether to send test emails and a test post to the lead webhook. */
  shouldSend?: boolean
  /** Called as soon as a finding is known, because a check can take a while. */
  onFinding?: (finding: Finding) => void
}

type Check = () => Finding | Finding[] | Promise<Finding | Finding[]>
type Checks = Record<string, Check>
type WebhookSetting = 'LEAD_WEBHOOK_URL' | 'LEAD_WEBHOOK_SECRET'
type Context = Deps & {
  env: Env
  /** Whether all of these settings are valid. A check that needs an invalid one is skipped. */
  isUsable: (...names: (keyof Env | 'SMTP_URL_FILE' | WebhookSetting)[]) => boolean
}

/** Checks everything that an installation needs. */
export async function diagnose(deps: Deps): Promise<Finding[]> {
  const { env, unusable, findings } = checkConfiguration(deps.source)
  const redact = createRedaction(deps.source)
  const reported: Finding[] = []
  const report = ({ seen, advice, ...found }: Finding) => {
    const finding = { ...found, seen: redact(seen), advice: redact(advice) }
    deps.onFinding?.(finding)
    reported.push(finding)
  }
  findings.forEach(report)
  const isUsable: Context['isUsable'] = (...names) => names.every((name) => !unusable.has(name))
  const context = { ...deps, env, isUsable }
  const checks: Checks = {
    ...emailChecks(context),
    ...(isUsable('LEAD_WEBHOOK_URL', 'LEAD_WEBHOOK_SECRET') && {
      'lead webhook': () => checkLeadWebhook(env.webhook, deps.now, deps.shouldSend),
    }),
    ...(isUsable('SITE_URL', 'TRUST_PROXY') && { proxy: () => checkProxy(env) }),
    ...(isUsable('DATABASE_URL') && storageChecks(context)),
  }
  for (const [name, check] of Object.entries(checks)) (await runCheck(name, check)).forEach(report)
  return reported
}

const siteUrlOf = ({ SITE_URL, PORT }: Env) => SITE_URL ?? `http://localhost:${PORT}`

function emailChecks({ env, isUsable, shouldSend, now, resolveTxt, resolveMx }: Context): Checks {
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom, MAIL_TO: mailTo } = env
  const isUrlValid = isUsable('SMTP_URL', 'SMTP_URL_FILE')
  // An invalid SMTP_URL still means that there is a mail server.
  const hasMailServer = smtpUrl !== undefined || !isUrlValid
  let mailServer: Finding | undefined
  const tryMailServer = async () => {
    mailServer = await checkMailServer(smtpUrl)
    return mailServer
  }
  return {
    ...(isUrlValid && { 'mail server': tryMailServer }),
    ...(smtpUrl &&
      isUsable('MAIL_FROM') && { 'sender domain': () => checkSenderDomain(mailFrom.address, resolveTxt) }),
    ...(isUsable('MAIL_TO') && {
      recipients: () => checkRecipients(mailTo, hasMailServer, resolveMx),
    }),
    ...(isUsable('REMINDERS', 'INBOX') && {
      reminders: () =>
        checkReminders(env, { hasMailServer, isMailServerBroken: mailServer?.state === 'problem' }),
    }),
    holidays: () => checkHolidays(closedOn, now),
    questions: () => checkQuestions(questions),
    ...(shouldSend &&
      smtpUrl &&
      isUrlValid &&
      isUsable('MAIL_FROM', 'MAIL_TO') && {
        'test email': () =>
          mailServer?.state === 'problem'
            ? noTestEmail
            : sendTestEmails({ smtpUrl, mailFrom, mailTo, siteUrl: siteUrlOf(env), now }),
      }),
  }
}

function storageChecks({ source, env, isUsable, mountInfo, now }: Context): Checks {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: everyHours, DATABASE_URL } = env
  const backups = { dataDir, backupDir, everyHours, mountInfo }
  // Invalid settings still count as set.
  const smtpUrl = env.SMTP_URL ?? (source.SMTP_URL || source.SMTP_URL_FILE)
  const hasWebhook = Boolean(source.LEAD_WEBHOOK_URL)
  const settings = { smtpUrl, hasWebhook, ...(isUsable('SITE_URL', 'PORT') && { siteUrl: siteUrlOf(env) }) }
  const server: Checks = isUsable('PORT') ? { server: () => checkRunningServer(env) } : {}
  if (DATABASE_URL)
    return {
      database: async () => (await import('./postgres.ts')).checkPostgres(DATABASE_URL, settings, backups),
      ...server,
    }
  return {
    'data directory': () => checkDataDirectory(dataDir, backupDir, mountInfo),
    ...(existsSync(dataDir) && {
      database: () => checkDatabase(dataDir, settings, now),
      backup: () => checkBackups(newestBackupFile(backups, now), now, everyHours),
      ...server,
    }),
  }
}

/** Runs a check. If it throws, returns the error as a problem, so that the remaining checks still run. */
async function runCheck(name: string, check: Check): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    const { code, message } = errorFacts(error)
    const advice = /^(EACCES|EPERM)$/.test(String(code))
      ? 'Run this command as the user that runs the server. That user needs read and write access to the data directory.'
      : 'Fix the cause, then run this command again.'
    return [findingsAbout(name).problem(`This could not be checked: ${message ?? error}.`, advice)]
  }
}
