import { questions } from '#facts/questions.ts'
import type { Database } from '../database/schema.ts'
import { createRedaction } from '../errors/redaction.ts'
import { createTokens, type Tokens } from '../mail/oauth.ts'
import { checkArrivals } from './arrivals.ts'
import { checkBackups } from './backups.ts'
import {
  type Check,
  type CheckContext,
  commandsFor,
  type Finding,
  type Found,
  ok,
  runCheck,
  warning,
} from './check.ts'
import { checkDatabase, openDatabase } from './database.ts'
import { checkDisk } from './disk.ts'
import { checkRecipients, checkSenderDomain } from './mail-domains.ts'
import { checkMailServer } from './mail-server.ts'
import { checkMailbox, checkSetAside } from './mailbox.ts'
import { checkProxy, checkVisitors } from './proxy.ts'
import { checkPasskeys, checkPush, checkQueue } from './queue.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSettings } from './settings.ts'
import { sendTestEmails, sendTestEvent } from './test-messages.ts'
import { checkTime } from './time.ts'
import { checkToken } from './token.ts'

type Deps = Omit<CheckContext, 'env'> & {
  source: Record<string, string | undefined>
  /** Whether to send test emails and a test post to the lead webhook. */
  shouldSend?: boolean
  /** Called as soon as a finding is known, because a check can take a while. */
  onFinding?: (finding: Finding) => void
}

/** Checks everything that keeps emails coming and leads safe. */
export async function diagnose(deps: Deps): Promise<Finding[]> {
  const redact = createRedaction(deps.source)
  const findings: Finding[] = []
  /** Runs a check, which returns nothing if all is well. Returns whether it found no problem. */
  async function run(check: string, work: Check) {
    const found = await runCheck(work)
    for (const { state, seen, advice } of found.length > 0 ? found : [ok('No problem was found.')]) {
      const finding = { check, state, seen: redact(seen), advice: redact(advice) }
      deps.onFinding?.(finding)
      findings.push(finding)
    }
    return found.every(({ state }) => state !== 'problem')
  }
  const { env, found } = checkSettings(deps.source)
  await run('settings', () => found)
  if (!env) return findings

  const { now, dns, mountInfo, shouldSend } = deps
  const { SMTP_URL: smtpUrl, DATABASE_URL, webhook, oauth } = env
  const imapUrl = env.INBOX === 'on' ? env.IMAP_URL : undefined
  let tokens: Tokens | undefined
  let kept: Database | undefined
  if (oauth)
    await run('access tokens', () => {
      // For the next refresh token.
      if (oauth.refreshToken) kept = openDatabase(env, true)
      tokens = createTokens(oauth, { db: kept, now: () => now })
      return checkToken(tokens, oauth)
    })
  const canSend = await run('mail server', () => checkMailServer(smtpUrl, tokens))
  if (smtpUrl) {
    await run('sender domain', () => checkSenderDomain(env, dns))
    await run('recipients', () => checkRecipients(env, dns))
  }
  if (smtpUrl && canSend && shouldSend)
    await run('test email', () => sendTestEmails(smtpUrl, env, { tokens, now }))
  if (imapUrl) await run('mailbox', () => checkMailbox(imapUrl, tokens, env.MAIL_FROM.address))
  await kept?.destroy()
  if (webhook && shouldSend) await run('lead webhook', () => sendTestEvent(webhook, now))
  await run('proxy', () => checkProxy(env, deps))
  await run('time', () => checkTime(deps))
  await run('questions', checkQuestions)
  if (!DATABASE_URL) await run('disk', () => checkDisk(env, mountInfo))
  let db: Database | undefined
  const isIntact = await run('database', () => {
    db = openDatabase(env)
    return checkDatabase(db, env)
  })
  if (db && isIntact) {
    const context = { ...deps, env, db, command: commandsFor(mountInfo, DATABASE_URL) }
    await run('emails', () => checkQueue(context))
    if (smtpUrl) await run('arrival of emails', () => checkArrivals(context))
    if (imapUrl) await run('messages in the mailbox', () => checkSetAside(context.db, now))
    await run('backups', () => checkBackups(context))
    await run('visitors', () => checkVisitors(context.db))
    await run('passkeys', () => checkPasskeys(context))
    await run('push messages', () => checkPush(context))
  }
  await db?.destroy()
  await run('server', () => checkRunningServer(env))
  return findings
}

/** Mentions questions of buyers that the owner hasn't answered. */
function checkQuestions(): Found | [] {
  const open = questions.filter(({ answer }) => answer === '').map(({ question }) => `"${question}"`)
  if (open.length === 0) return []
  return warning(
    `The page doesn't answer what buyers ask: ${open.join(', ')}.`,
    'Write your answers into shared/business/questions.ts, then build and restart.',
  )
}
