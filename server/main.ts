import './check-business.ts'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMailAlert } from './alerts/mail-alert.ts'
import { createApp } from './app.ts'
import { createScheduledBackup } from './backup/scheduled-backup.ts'
import { createGroupCommit } from './database/group-commit.ts'
import { DataDirectoryInUse } from './database/lock-data-directory.ts'
import { openStorage } from './database/open-storage.ts'
import { readSetting } from './database/settings.ts'
import { createDelivery } from './delivery.ts'
import { createOwnerDigest } from './digest/owner-digest.ts'
import { parseEnv } from './env.ts'
import { errorFacts } from './error-facts.ts'
import { restrictNewFiles } from './files/private-files.ts'
import { createClientHash, createKeyedHash } from './http/client-address.ts'
import { limitConnections } from './http/limit-connections.ts'
import { listen } from './http/listen.ts'
import { createInbox } from './inbox/create-inbox.ts'
import { handleFailedAnswer } from './inbox/leads/handle-failed-answer.ts'
import { MINUTE_MS, SECOND_MS, startJobs } from './jobs.ts'
import { createAcceptedRequests } from './leads/accepted-requests.ts'
import { createCrowd } from './leads/crowd.ts'
import { createFormTokens } from './leads/form-token.ts'
import { mailBudget } from './leads/mail-budget.ts'
import { createNoticeLists } from './leads/notice-list.ts'
import { createRetention } from './leads/retention.ts'
import { createLearnedWords } from './leads/spam/learned-words.ts'
import { readSamples } from './leads/spam/samples-file.ts'
import { createSubmitLead } from './leads/submit-lead.ts'
import { createLog } from './log.ts'
import { createFileMailer, createSmtpMailer } from './mail/mailer.ts'
import { MAIL_PATIENCE_MS } from './outbox/backlog.ts'
import { findDeliveryMode, isSmtpRecorded, requeueWritten } from './outbox/delivery-mode.ts'
import { createOutboxStore } from './outbox/outbox-store.ts'
import { createOutboxWorker } from './outbox/outbox-worker.ts'
import { recordWebhook } from './outbox/webhook-setting.ts'
import { createRedaction } from './redaction.ts'
import { createReminders } from './reminders/reminders.ts'
import { describeStartError } from './start-error.ts'
import { stopSignal } from './stop-signal.ts'

// With Node's defaults, a slow client can keep a connection open for minutes.
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
}
// On the slowest mobile networks, the largest file takes a minute.
const connectionLimits = { maxConnections: 1_000, responseTimeoutMs: 60_000 }
const MAX_HEADERS = 64
const redact = createRedaction(process.env)

/** Opens everything, serves requests until a signal arrives or the database fails, and then closes everything. */
async function run() {
  restrictNewFiles()
  const env = parseEnv(process.env)
  const log = await createLog(env.LOG_LEVEL, redact)

  const databaseFailure = Promise.withResolvers<Error>()
  const storage = await openStorage(env, databaseFailure.resolve)
  const { db, now, keptByRestore } = storage
  if (keptByRestore) log.warn({ earlierLeads: keptByRestore }, 'an interrupted restore was finished')
  const write = createGroupCommit(db)
  const webhookHost = env.webhook && new URL(env.webhook.url).host
  await recordWebhook(db, webhookHost !== undefined)
  const outbox = createOutboxStore(db, write, env.MAIL_TO, handleFailedAnswer, webhookHost)
  const contactLimit = { limit: env.CONTACT_LIMIT, windowSeconds: env.CONTACT_LIMIT_WINDOW_SECONDS }
  const acceptedRequests = createAcceptedRequests(db, contactLimit)
  const hashKey = await readSetting(db, 'client_hash_key')
  const clientOf = createClientHash(hashKey)
  const formTokens = createFormTokens(await readSetting(db, 'form_token_key'))
  const mailDir = join(env.DATA_DIR, 'mail')
  const mailer = env.SMTP_URL
    ? createSmtpMailer(env.SMTP_URL)
    : createFileMailer(mailDir, () => isSmtpRecorded(db))
  const deliveryMode = await findDeliveryMode(db, env.SMTP_URL)
  if (deliveryMode === 'files')
    log.warn({ folder: mailDir }, 'SMTP_URL is not set: emails are written as .eml files')
  if (deliveryMode === 'held')
    log.error(
      'SMTP_URL is not set, but this installation has sent emails by SMTP: emails stay queued until it is set',
    )
  // Held emails count as late immediately, except on PostgreSQL, where another replica may send them.
  const patienceMs = deliveryMode === 'held' && !env.DATABASE_URL ? 0 : MAIL_PATIENCE_MS
  const waitingSince = () => new Date(now().getTime() - patienceMs)

  // Loaded on demand, to save memory.
  const { createPostLead } = env.webhook ? await import('./webhook/post-lead.ts') : {}

  // Handle signals before opening the port.
  const stopped = stopSignal()
  const server = createServer(serverLimits)
  server.maxHeadersCount = MAX_HEADERS
  const withLimits = limitConnections(server, { ...connectionLimits, trustProxy: env.TRUST_PROXY })
  const stopServing = await listen(server, { port: env.PORT, host: env.HOST })
  const { port } = server.address() as AddressInfo
  const siteUrl = env.SITE_URL ?? `http://localhost:${port}`

  const hasInbox = env.INBOX === 'on'
  // Writing files uses up nothing.
  const budget = mailBudget(deliveryMode === 'files' ? 0 : env.EMAILS_A_DAY, env.MAIL_TO.length)
  // Reminders need the inbox, where owners mark leads as answered. As .eml files, reminders would reach nobody.
  const sendsReminders = env.REMINDERS === 'on' && hasInbox && deliveryMode !== 'files'
  const deliver = createDelivery({
    db,
    mailer,
    mailFrom: env.MAIL_FROM,
    siteUrl,
    hasInbox,
    sendsReminders,
    budget,
    now,
  })
  const crowd = createCrowd()
  const worker = createOutboxWorker({
    outbox,
    deliver,
    postLead: env.webhook && createPostLead?.({ db, receiver: env.webhook, siteUrl, hasInbox, now }),
    log,
    redact,
    now,
    random: Math.random,
    isHeld: deliveryMode === 'held',
    isCrowded: crowd.isCrowded,
  })
  const requeueWrittenNotices = async (signal: AbortSignal) => {
    const notices = await requeueWritten(db, now, signal)
    if (notices > 0) log.warn({ notices }, 'sending notices that were only written to files')
  }
  const keyedHash = createKeyedHash(hashKey)
  const learnedWords = createLearnedWords({ db, samples: readSamples() })
  const inbox =
    env.INBOX === 'on'
      ? createInbox({
          log,
          db,
          write,
          now,
          siteUrl,
          mailFrom: env.MAIL_FROM,
          mailTo: env.MAIL_TO,
          clientOf,
          keyedHash,
          budget,
          env: process.env,
          sendsReceipts: env.VISITOR_RECEIPT === 'on',
          hasMailServer: env.SMTP_URL !== undefined,
          isCrowded: crowd.isCrowded,
          onQueued: worker.wake,
          onQueuedFor: worker.wakeAt,
        })
      : undefined
  const submitLead = createSubmitLead({
    db,
    write,
    contactLimit,
    mailFrom: env.MAIL_FROM,
    mailTo: env.MAIL_TO,
    sendsReceipts: env.VISITOR_RECEIPT === 'on',
    webhookHost,
    keyedHash,
    budget,
    judgeMessage: learnedWords.judge,
    now,
    onStored() {
      worker.wake()
      inbox?.onStored()
    },
  })
  const app = createApp({
    log,
    db,
    now,
    waitingSince,
    isMailStalled: worker.isStalled,
    clientDir: fileURLToPath(import.meta.resolve('#dist')),
    siteUrl,
    trustProxy: env.TRUST_PROXY,
    privacy: { retentionDays: env.RETENTION_DAYS, postsLeads: env.webhook !== undefined },
    allowedOrigins: env.ALLOWED_ORIGINS,
    contactLimit,
    clientOf,
    formTokens,
    inbox: inbox?.routes,
    allowanceOf: (client) => acceptedRequests.allowance(client, now()),
    submitLead: (...request) => crowd.count(submitLead(...request)),
  })
  // Nothing is awaited between "listening" and this line, so no request is missed.
  server.on('request', withLimits(app))
  await inbox?.start()
  await worker.start()
  log.info({ port, url: siteUrl }, 'ready')
  const queueing = { db, mailFrom: env.MAIL_FROM, mailTo: env.MAIL_TO, now, onQueued: worker.wake }
  const jobs = startJobs({ db, log, now }, [
    {
      name: 'server lock',
      everyMs: MINUTE_MS,
      isNeeded: storage.renewLock !== undefined,
      isOnEachReplica: true,
      run: async () => storage.renewLock?.(),
    },
    { name: 'spam words', everyMs: 5 * SECOND_MS, isOnEachReplica: true, run: learnedWords.refresh },
    { name: 'limits', everyMs: MINUTE_MS, run: () => acceptedRequests.prune(now()) },
    { name: 'notices', everyMs: MINUTE_MS, run: createNoticeLists({ ...queueing, budget }) },
    { name: 'written', everyMs: MINUTE_MS, isNeeded: deliveryMode === 'smtp', run: requeueWrittenNotices },
    { name: 'reminders', everyMs: MINUTE_MS, isNeeded: sendsReminders, run: createReminders(queueing) },
    {
      name: 'digest',
      everyMs: MINUTE_MS,
      run: createOwnerDigest({
        ...queueing,
        dataDir: env.DATA_DIR,
        backupDir: env.BACKUP_DIR,
        backupEveryHours: env.BACKUP_EVERY_HOURS,
        retentionDays: env.RETENTION_DAYS,
        waitingSince,
      }),
    },
    {
      name: 'alert',
      everyMs: MINUTE_MS,
      isNeeded: env.ALERT_URL !== undefined,
      run: createMailAlert({ db, url: env.ALERT_URL ?? '', siteUrl, now, waitingSince }),
    },
    {
      name: 'retention',
      everyMs: MINUTE_MS,
      isNeeded: env.RETENTION_DAYS > 0,
      run: createRetention({ db, mailDir, days: env.RETENTION_DAYS, now, log }),
    },
    {
      name: 'backup',
      everyMs: 15 * MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      run: createScheduledBackup({
        db,
        backupDir: env.BACKUP_DIR,
        everyHours: env.BACKUP_EVERY_HOURS,
        log,
        now,
      }),
    },
  ])

  const failure = await Promise.race([stopped, databaseFailure.promise])
  if (failure instanceof DataDirectoryInUse) log.fatal(`${failure.message}: stopping`)
  else if (failure) {
    const { code } = errorFacts(failure)
    log.fatal({ code }, 'database not usable: exiting so the supervisor restarts us')
  } else log.info('stopping')
  // Stop the inbox first: its open event streams would keep the server from closing.
  await inbox?.stop()
  await Promise.all([stopServing(), worker.stop(), jobs.stop()])
  mailer.close()
  await storage.close()
  log.info('stopped')
  // Tells the supervisor to restart us.
  if (failure) process.exitCode = 1
}

function fail(error: unknown) {
  process.stderr.write(`${redact(describeStartError(error))}\n`)
  process.exit(1)
}

// Without this, Node.js prints an unexpected error with all its properties, such as the URL that is invalid.
process.on('uncaughtException', fail)
await run().catch(fail)
// Everything is closed and logged: no leftover handle may keep the process alive.
process.exit()
