import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, inject, test } from 'vitest'
import { createApp } from '../../app/app.ts'
import { createLeads } from '../../contact/create-leads.ts'
import type { Requester } from '../../contact/submit-lead.ts'
import type { Context } from '../../context.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { readKeys } from '../../database/notes.ts'
import { connect } from '../../database/postgres.ts'
import { openDatabase } from '../../database/sqlite.ts'
import { type Env, parseEnv } from '../../env.ts'
import { createInbox } from '../../inbox/create-inbox.ts'
import type { InboxDeps } from '../../inbox/inbox-deps.ts'
import { handleFailedAnswer } from '../../leads/answers/answer-trouble.ts'
import { mailBudget } from '../../leads/emails/mail-budget.ts'
import { createOutboxStore } from '../../outbox/outbox-store.ts'
import { atDatabase } from './postgres.ts'
import { webhookSecret } from './receiver.ts'
import { sampleRequest } from './sample-request.ts'
import { newDataDir, nodeSettings } from './start-program.ts'

const defaults = {
  siteUrl: 'https://agency.example',
  limit: 1000,
  windowSeconds: 600,
  trustProxy: 0 as number | string[],
  allowedOrigins: [] as string[],
  mailTo: ['owner@agency.example'],
  emailsADay: 0,
  sendsReceipts: false,
  isMailStalled: false,
  hasInbox: true,
  webhookHost: undefined as string | undefined,
}

/** A sender about whom nothing is known. */
export const unknownSender: Requester = {
  client: 'c',
  idempotencyKey: null,
  clues: { isHoneypotFilled: false, formAgeMs: undefined },
  formToken: null,
  source: {},
}

/** The real app on a new database, SQLite or PostgreSQL, with a clock that the test can set. */
export async function buildTestApp(options: Partial<typeof defaults> = {}) {
  const settings = { ...defaults, ...options }
  const { siteUrl, isMailStalled, webhookHost } = settings
  const dataDir = mkdtempSync(join(tmpdir(), 'website-'))
  const { db, env: ownEnv, remove } = await openTestDatabase(dataDir)
  const clock = { now: new Date('2026-03-02T15:00:00.000Z') }
  const now = () => clock.now
  const logLines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => logLines.push(line) })
  const env: Env = {
    ...parseEnv({ DATA_DIR: dataDir, MAIL_FROM: 'site@agency.example' }),
    MAIL_TO: [...settings.mailTo],
    CONTACT_LIMIT: settings.limit,
    CONTACT_LIMIT_WINDOW_SECONDS: settings.windowSeconds,
    TRUST_PROXY: settings.trustProxy,
    ALLOWED_ORIGINS: settings.allowedOrigins,
    VISITOR_RECEIPT: settings.sendsReceipts ? 'on' : 'off',
    webhook: webhookHost ? { url: `https://${webhookHost}/`, secret: webhookSecret } : undefined,
  }
  const write = createGroupCommit(db)
  const context: Context = { db, write, now, log, redact: String, env, siteUrl }
  const outbox = createOutboxStore({
    db,
    write,
    onFailure: (transaction, email, failure) =>
      handleFailedAnswer(transaction, email, { ...failure, owners: env.MAIL_TO }),
  })
  const budget = mailBudget(settings.emailsADay, env.MAIL_TO.length)
  const leads = createLeads(context, { keys: await readKeys(db), budget, onStored: () => {} })
  const deps: InboxDeps = { ...context, ...leads, onQueued() {} }
  // The inbox and the app are built only on their first use: that takes longer than most tests, and
  // many use neither.
  let inbox: ReturnType<typeof createInbox> | undefined
  let app: ReturnType<typeof createApp> | undefined
  return {
    get app() {
      app ??= createApp(context, {
        leads,
        outbox: { isStalled: () => isMailStalled },
        inbox: settings.hasInbox ? this.inbox : undefined,
        clientDir: join(import.meta.dirname, 'fixtures/client'),
      })
      return app
    },
    get inbox() {
      inbox ??= createInbox(deps)
      return inbox
    },
    db,
    context,
    leads,
    outbox,
    submitLead: (request: Parameters<typeof leads.submit>[0], sender: Partial<Requester> = {}) =>
      leads.submit(request, { ...unknownSender, ...sender }),
    /** Lets the spam filter learn from the verdicts that owners have given so far. */
    learnWords: leads.learnWords,
    judgeMessage: leads.judgeMessage,
    inboxDeps: deps,
    budget,
    clock,
    advanceClock(milliseconds: number) {
      clock.now = new Date(clock.now.getTime() + milliseconds)
    },
    /** Submits the sample request with `changes`. */
    submit: (changes: Parameters<typeof sampleRequest>[0] = {}) =>
      leads.submit(sampleRequest(changes), unknownSender),
    dataDir,
    /** The environment for commands that read or change this app's data. */
    env: ownEnv,
    logLines,
    async [Symbol.asyncDispose]() {
      await inbox?.stop()
      await remove()
      rmSync(dataDir, { recursive: true })
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof buildTestApp>>

/** Builds a new app before each test of the file. The returned app works only inside tests. */
export function useTestApp(options: Partial<typeof defaults> = {}): TestApp {
  const site = {} as TestApp
  beforeEach(async () => {
    Object.defineProperties(site, Object.getOwnPropertyDescriptors(await buildTestApp(options)))
  })
  afterEach(() => site[Symbol.asyncDispose]())
  return site
}

/**
 * Creates a new folder before each test of the file, and deletes it afterward. Works only inside
 * tests.
 */
export function useFolder() {
  let folder: ReturnType<typeof newDataDir>
  beforeEach(() => {
    folder = newDataDir()
  })
  afterEach(() => folder[Symbol.dispose]())
  return {
    get path() {
      return folder.path
    },
  }
}

/** Whether this run uses PostgreSQL. If so, tests of the SQLite file are skipped. */
export const isOnPostgres = inject('postgres') !== undefined

/**
 * A test that runs only on SQLite: its outcome can't depend on the database, or faster tests run
 * the same statements.
 */
export const testOnce = test.skipIf(isOnPostgres)

/** Opens a new database, either in the folder or on this run's PostgreSQL server. */
export async function openTestDatabase(dataDir: string) {
  const server = inject('postgres')
  if (!server) {
    empty ??= createEmptyDatabase()
    copyFileSync(await empty, join(dataDir, 'leads.db'))
    const db = await openDatabase(dataDir)
    // Syncing to the disk would take longer than the rest of a test, and no test simulates a power
    // failure.
    await sql`pragma synchronous = off`.execute(db)
    return { db, env: envOf({ DATA_DIR: dataDir }), remove: () => db.destroy() }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(server.template, `create database ${name} ${server.options}`)
  const url = atDatabase(server.template, name)
  const db = connect(url, 'visitor')
  return {
    db,
    env: envOf({ DATA_DIR: dataDir, DATABASE_URL: url }),
    async remove() {
      await db.destroy()
      await administer(server.template, `drop database ${name} with (force)`)
    },
  }
}

// Migrating takes longer than most tests, so all tests in this process copy one database.
let empty: Promise<string> | undefined

async function createEmptyDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'website-empty-'))
  const db = await openDatabase(folder)
  await db.destroy()
  return join(folder, 'leads.db')
}

// The connection that creates and drops databases. All tests in this process share it, because
// opening one takes longer than creating a database.
let administrator: pg.Pool | undefined

function administer(url: string, statement: string) {
  administrator ??= new pg.Pool({ connectionString: atDatabase(url, 'postgres'), max: 1 })
  return administrator.query(statement)
}

/** The environment for commands on this database. */
const envOf = (place: { DATA_DIR: string; DATABASE_URL?: string }) => ({
  ...nodeSettings,
  ...place,
  BACKUP_DIR: join(place.DATA_DIR, 'backups'),
})
