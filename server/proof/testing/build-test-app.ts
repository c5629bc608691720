import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach } from 'vitest'
import { createApp } from '../../app.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { readSetting } from '../../database/settings.ts'
import { createClientHash, createKeyedHash } from '../../http/client-address.ts'
import { createInbox } from '../../inbox/create-inbox.ts'
import type { InboxDeps } from '../../inbox/inbox-deps.ts'
import { handleFailedAnswer } from '../../inbox/leads/handle-failed-answer.ts'
import { createAcceptedRequests } from '../../leads/accepted-requests.ts'
import { createFormTokens } from '../../leads/form-token.ts'
import { mailBudget } from '../../leads/mail-budget.ts'
import { createLearnedWords } from '../../leads/spam/learned-words.ts'
import { readSamples } from '../../leads/spam/samples-file.ts'
import { createSubmitLead } from '../../leads/submit-lead.ts'
import { MAIL_PATIENCE_MS } from '../../outbox/backlog.ts'
import { createOutboxStore } from '../../outbox/outbox-store.ts'
import { recordWebhook } from '../../outbox/webhook-setting.ts'
import { openTestDatabase } from './open-test-database.ts'
import { sampleRequest } from './sample-request.ts'

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
  retentionDays: 0,
}

// All tests share these, because reading them takes longer than most tests, and nothing changes them.
const samples = readSamples()

/** The real app on a new database, SQLite or PostgreSQL, with a clock that the test can set. */
export async function buildTestApp(options: Partial<typeof defaults> = {}) {
  const {
    siteUrl,
    limit,
    windowSeconds,
    trustProxy,
    allowedOrigins,
    mailTo,
    emailsADay,
    sendsReceipts,
    isMailStalled,
    hasInbox,
    webhookHost,
    retentionDays,
  } = { ...defaults, ...options }
  const dataDir = mkdtempSync(join(tmpdir(), 'website-'))
  const { db, env, remove } = await openTestDatabase(dataDir)
  const write = createGroupCommit(db)
  const outbox = createOutboxStore(db, write, mailTo, handleFailedAnswer, webhookHost)
  const clock = { now: new Date('2026-03-02T15:00:00.000Z') }
  const now = () => clock.now
  const logLines: string[] = []
  const contactLimit = { limit, windowSeconds }
  const budget = mailBudget(emailsADay, mailTo.length)
  const acceptedRequests = createAcceptedRequests(db, contactLimit)
  await recordWebhook(db, webhookHost !== undefined)
  const hashKey = await readSetting(db, 'client_hash_key')
  const keyedHash = createKeyedHash(hashKey)
  const log = pino({ base: null }, { write: (line: string) => logLines.push(line) })
  const learnedWords = createLearnedWords({ db, samples })
  const submitLead = createSubmitLead({
    db,
    write,
    contactLimit,
    mailFrom: { address: 'site@agency.example' },
    mailTo,
    sendsReceipts,
    webhookHost,
    keyedHash,
    budget,
    judgeMessage: learnedWords.judge,
    now,
    onStored: () => {},
  })
  const formTokens = createFormTokens(await readSetting(db, 'form_token_key'))
  const clientOf = createClientHash(hashKey)
  const inboxDeps: InboxDeps = {
    log,
    db,
    write,
    now,
    siteUrl,
    mailFrom: { address: 'site@agency.example' },
    mailTo,
    clientOf,
    keyedHash,
    budget,
    env: { PATH: process.env.PATH, ...env },
    sendsReceipts,
    hasMailServer: false,
    onQueued: () => {},
    onQueuedFor: () => {},
  }
  // The inbox and the app are built only on their first use: that takes longer than most tests, and many use neither.
  let inbox: ReturnType<typeof createInbox> | undefined
  const useInbox = () => {
    inbox ??= createInbox(inboxDeps)
    return inbox
  }
  const buildApp = () =>
    createApp({
      log,
      db,
      now,
      waitingSince: () => new Date(now().getTime() - MAIL_PATIENCE_MS),
      isMailStalled: () => isMailStalled,
      clientDir: join(import.meta.dirname, 'fixtures/client'),
      siteUrl,
      trustProxy,
      privacy: { retentionDays, postsLeads: webhookHost !== undefined },
      allowedOrigins,
      contactLimit,
      clientOf,
      inbox: hasInbox ? useInbox().routes : undefined,
      formTokens,
      allowanceOf: (client) => acceptedRequests.allowance(client, now()),
      submitLead,
    })
  let app: ReturnType<typeof createApp> | undefined
  return {
    get app() {
      app ??= buildApp()
      return app
    },
    get inbox() {
      return useInbox()
    },
    db,
    outbox,
    submitLead,
    /** Lets the spam filter learn from the verdicts that owners have given so far. */
    learnWords: learnedWords.refresh,
    judgeMessage: learnedWords.judge,
    inboxDeps,
    formTokens,
    clock,
    advanceClock(milliseconds: number) {
      clock.now = new Date(clock.now.getTime() + milliseconds)
    },
    /** Submits the sample request with `changes`. */
    submit: (changes: Parameters<typeof sampleRequest>[0] = {}) =>
      submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null }),
    dataDir,
    /** The environment for commands that read or change this app's data. */
    env,
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
