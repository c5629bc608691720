import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { lockDataDirectory } from './database/lock-data-directory.ts'
import { openDatabase } from './database/open-database.ts'
import { readSetting } from './database/settings.ts'
import { parseEnv } from './env.ts'
import { createClientHash } from './http/client-address.ts'
import { createAcceptedRequests } from './leads/accepted-requests.ts'
import { createLeadStore } from './leads/lead-store.ts'
import { ownerNotice } from './leads/owner-notice.ts'
import { createSubmitLead } from './leads/submit-lead.ts'
import { createLog } from './log.ts'
import { createFileMailer, createSmtpMailer } from './mail/mailer.ts'
import { createOutboxStore } from './outbox/outbox-store.ts'
import { createOutboxWorker } from './outbox/outbox-worker.ts'
import { describeStartError } from './start-error.ts'

// What a slow client may take; with Node's own values it can hold a connection for minutes.
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8 * 1024,
}
// After a signal, requests that are being answered get this long; then their connections are cut.
const DRAIN_MS = 2_000

/** Opens everything in order, serves until a signal comes, and closes in reverse. */
async function run() {
  const env = parseEnv(process.env)
  const log = createLog(env.LOG_LEVEL)
  const now = () => new Date()

  const unlock = lockDataDirectory(env.DATA_DIR)
  const db = await openDatabase(env.DATA_DIR)
  const outbox = createOutboxStore(db)
  const leads = createLeadStore(db)
  const mailDir = join(env.DATA_DIR, 'mail')
  const mailer = env.SMTP_URL ? createSmtpMailer(env.SMTP_URL) : createFileMailer(mailDir)
  if (!env.SMTP_URL) log.warn({ folder: mailDir }, 'SMTP_URL is not set: mails are written as .eml files')

  const place = { mailFrom: env.MAIL_FROM, siteUrl: env.SITE_URL }
  const worker = createOutboxWorker({
    outbox,
    mailer,
    log,
    now,
    random: Math.random,
    compose: async (job) => ownerNotice(await leads.get(job.leadId), job, place),
  })

  const contactLimit = { limit: env.CONTACT_LIMIT, windowSeconds: env.CONTACT_LIMIT_WINDOW_SECONDS }
  const acceptedRequests = createAcceptedRequests(db, contactLimit)
  const app = createApp({
    log,
    db,
    outbox,
    now,
    clientDir: join(import.meta.dirname, '../client/dist'),
    siteUrl: env.SITE_URL,
    trustProxy: env.TRUST_PROXY,
    allowedOrigins: env.ALLOWED_ORIGINS,
    contactLimit,
    clientOf: createClientHash(await readSetting(db, 'client_hash_key')),
    allowanceOf: (client) => acceptedRequests.allowance(client, now()),
    submitLead: createSubmitLead({
      db,
      contactLimit,
      mailFrom: env.MAIL_FROM,
      mailTo: env.MAIL_TO,
      now,
      onStored: worker.wake,
    }),
  })

  // The signals are watched before the port is open, so that none is missed.
  const signal = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const server = createServer(patience, app)
  server.listen(env.PORT, env.HOST)
  await once(server, 'listening')
  await worker.start()
  const { port } = server.address() as AddressInfo
  log.info({ port, url: env.SITE_URL }, 'ready')

  await signal
  log.info('stopping')
  await Promise.all([stopServing(server), worker.stop()])
  // Closing the last connection also moves the write-ahead log into the database file.
  await db.destroy()
  unlock()
  log.info('stopped')
}

/** Takes no new requests, answers those that are under way, and waits for no one who only holds a connection. */
async function stopServing(server: Server) {
  const closed = once(server, 'close')
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  server.close()
  server.closeIdleConnections()
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })])
  server.closeAllConnections()
  await closed
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${describeStartError(error)}\n`)
  process.exit(1)
}
