import './start/check-business.ts'
import { createApp } from './app/app.ts'
import { createOutbox } from './app/create-outbox.ts'
import { allJobs, startJobs } from './app/jobs.ts'
import { createLeads } from './contact/create-leads.ts'
import { openClock } from './database/differences.ts'
import { createGroupCommit } from './database/group-commit.ts'
import { readKeys } from './database/notes.ts'
import { openStorage } from './database/open-storage.ts'
import { parseEnv } from './env.ts'
import { createRedaction } from './errors/redaction.ts'
import { restrictNewFiles } from './files/private-files.ts'
import { openPort } from './http/open-port.ts'
import { createInbox } from './inbox/create-inbox.ts'
import { createLog } from './log.ts'
import { createTokens } from './mail/oauth.ts'
import { findDeliveryMode } from './outbox/delivery-mode.ts'
import { describeStartError } from './start/start-error.ts'

const PARENT_CHECK_MS = 250
const redact = createRedaction(process.env)

/**
 * Opens everything, serves requests until a signal arrives or the disk fails, and then closes
 * everything.
 */
async function run() {
  restrictNewFiles()
  const env = parseEnv(process.env)
  const log = await createLog(env.LOG_LEVEL, redact)
  const diskFailure = Promise.withResolvers<{ code: string }>()
  const { db, close } = await openStorage(env, diskFailure.resolve)
  const keys = await readKeys(db)
  const clock = await openClock(db)
  const mode = await findDeliveryMode(db, env.SMTP_URL)
  const stopped = stopSignal()

  // Nothing is awaited between this line and "serve", so no request is missed.
  const port = await openPort(env)
  const siteUrl = env.SITE_URL ?? `http://localhost:${port.number}`
  const { now } = clock
  const tokens = env.oauth && createTokens(env.oauth, { db, now })
  const context = { db, write: createGroupCommit(db), now, log, redact, env, siteUrl, tokens }

  const outbox = createOutbox(context, mode)
  const leads = createLeads(context, { keys, budget: outbox.budget, onStored: outbox.wake })
  const inboxDeps = { ...context, ...leads, onQueued: outbox.wake }
  const inbox = env.INBOX === 'on' ? createInbox(inboxDeps) : undefined
  port.serve(createApp(context, { leads, outbox, inbox }))
  await inbox?.start()
  await outbox.start()
  log.info({ port: port.number, url: siteUrl }, 'ready')
  const jobs = startJobs(context, allJobs(context, { leads, outbox, followClock: clock.follow }))

  const failure = await Promise.race([stopped, diskFailure.promise])
  if (failure)
    log.fatal(
      { code: failure.code, hint: describeStartError(failure) },
      'database not usable: exiting so the supervisor restarts us',
    )
  else log.info('stopping')
  // Stop the inbox first: its open event streams would keep the port from closing.
  inbox?.stop()
  await Promise.all([port.stop(), outbox.stop(), jobs.stop()])
  await close()
  log.info('stopped')
  // Tells the supervisor to restart us.
  if (failure) process.exitCode = 1
}

/** Resolves when the server is told to stop. A second signal doesn't interrupt the shutdown. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve())
    // npm runs us in a shell. A SIGTERM to npm ends that shell, but doesn't reach us, so stop once
    // our parent is gone.
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref()
  })
}

function fail(error: unknown) {
  process.stderr.write(`${redact(describeStartError(error))}\n`)
  process.exit(1)
}

// Without this, Node.js prints an unexpected error with all its properties, such as the URL that is
// invalid.
process.on('uncaughtException', fail)
await run().catch(fail)
// Everything is closed and logged: no leftover handle may keep the process alive.
process.exit()
