import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, expect } from '@playwright/test'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Email } from 'postal-mime'
import { hours } from '#facts/hours.ts'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/lead-source.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'
import { createApp } from '../../server/app/app.ts'
import { createOutbox } from '../../server/app/create-outbox.ts'
import { createLeads } from '../../server/contact/create-leads.ts'
import { createGroupCommit } from '../../server/database/group-commit.ts'
import { readKeys } from '../../server/database/notes.ts'
import type { Database } from '../../server/database/schema.ts'
import { openDatabase } from '../../server/database/sqlite.ts'
import { parseEnv } from '../../server/env.ts'
import { openPort } from '../../server/http/open-port.ts'
import { createInbox } from '../../server/inbox/create-inbox.ts'
import type { InboxDeps } from '../../server/inbox/inbox-deps.ts'
import { createToken, hashToken } from '../../server/inbox/sign-in/codes.ts'
import { findDeliveryMode } from '../../server/outbox/delivery-mode.ts'
import { freePort } from '../../server/proof/testing/free-port.ts'
import { openInbox, smtpError } from '../../server/proof/testing/inbox.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { nodeSettings } from '../../server/proof/testing/start-program.ts'

export const anna = 'anna@agency.example'
export const ben = 'ben@agency.example'

// A Wednesday afternoon, because the time left for a reply counts down only during office hours.
const beganAt = createTimeZone(hours.timeZone).fromWall(Date.parse('2026-03-04T14:00:00Z'))
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

export type Site = Awaited<ReturnType<typeof openSite>>
type Settings = { SMTP_URL?: string | undefined; IMAP_URL?: string }
/** `minutesAgo`: of the sign-in. */
type NewSession = { owner?: string; browser?: string; minutesAgo?: number }

/** A real mail server, which can refuse addresses. */
async function openMail() {
  const refusals = new Map<string, string>()
  const smtp = await openInbox({
    onRcptTo({ address }, _session, done) {
      const reply = refusals.get(address)
      done(reply === undefined ? null : smtpError(Number(reply.slice(0, 3)), reply.slice(4)))
    },
  })
  return {
    ...smtp,
    /** The emails to an address so far. */
    async to(address: string): Promise<Email[]> {
      const emails = await Promise.all(smtp.emails.map((_, index) => smtp.read(index)))
      return emails.filter(({ to }) => to?.some((recipient) => recipient.address === address))
    },
    /**
     * Refuses emails to this address with a reply such as "550 5.1.1 No such user here.", or no
     * longer refuses them.
     */
    refuse: (address: string, reply: string) => void refusals.set(address, reply),
    accept: (address: string) => void refusals.delete(address),
  }
}

/**
 * The real server on the database in this folder. It runs in the process of the test, which
 * therefore shares its clock, and can call the product's functions on its database. Its emails go
 * to a real mail server, `mail`.
 */
export async function openSite(dataDir: string) {
  const startedAt = Date.now()
  let aheadMs = 0
  const now = () => new Date(beganAt + Date.now() - startedAt + aheadMs)
  const db = await openDatabase(dataDir)
  // Syncing to the disk would take long, and no test here simulates a power failure.
  await sql`pragma synchronous = off`.execute(db)
  const mail = await openMail()
  const port = await freePort()
  const settings = { DATA_DIR: dataDir, SMTP_URL: mail.url, PORT: String(port) }
  let server = await startServer(db, now, settings)
  const { url } = server
  // An erasure runs a command in a child process, which reads the environment.
  Object.assign(process.env, nodeSettings, { DATA_DIR: dataDir })

  /** The leads of the people with this first name, newest first. */
  const leads = (firstName: string) =>
    db.selectFrom('leads').selectAll().where('first_name', '=', firstName).orderBy('id', 'desc').execute()

  /** The newest of them. */
  async function lead(firstName: string) {
    const [newest] = await leads(firstName)
    if (!newest) throw new Error(`${firstName} has sent no request.`)
    return newest
  }

  /** A session that was last used a minute ago. */
  async function addSession({ owner = anna, browser = 'Chrome on Android', minutesAgo = 1 }: NewSession) {
    const token = createToken()
    const ago = (minutes: number) => new Date(now().getTime() - minutes * MINUTE_MS).toISOString()
    const session = { id: hashToken(token), owner, browser, signed_in_at: ago(minutesAgo), seen_at: ago(1) }
    await db.insertInto('sessions').values(session).execute()
    return token
  }

  /** Waits until each email that is due was sent or refused. */
  async function sendEmails() {
    server.wake()
    const open = db.selectFrom('outbox').select('id').where('state', 'in', ['queued', 'sending'])
    const due = () =>
      open
        .where(({ eb, or }) => or([eb('state', '=', 'sending'), eb('due_at', '<=', now().toISOString())]))
        .execute()
    while ((await due()).length > 0) await sleep(5)
  }

  return {
    db,
    mail,
    url,
    now,
    leads,
    lead,
    addSession,
    /** The path of a person's newest lead. */
    path: async (firstName: string) => `/inbox/${(await lead(firstName)).reference}`,

    /** Sets the clock to this many milliseconds after the time at which tests begin. */
    setTime(ms: number) {
      aheadMs = startedAt + ms - Date.now()
    },
    /**
     * Lets time pass for the server and for the pages of this browser, whose timers run at most
     * once.
     */
    async advance(ms: number, { clock }: BrowserContext) {
      aheadMs += ms
      await clock.fastForward(ms)
    },

    /**
     * Signs the browser in, as if it had got a session before. A session of another owner in this
     * browser ends.
     */
    async signIn(context: BrowserContext, session: NewSession = {}) {
      const value = await addSession(session)
      await context.addCookies([{ name: 'inbox-session', value, url, httpOnly: true, sameSite: 'Strict' }])
    },
    /**
     * Does something that emails Anna a text of this form, such as a sign-in code, and returns the
     * text.
     */
    async textInEmail(pattern: RegExp, send: () => Promise<unknown>): Promise<string> {
      mail.emails.length = 0
      await send()
      const found = async () => pattern.exec((await mail.to(anna)).map(({ text }) => text).join('\n'))?.[0]
      await expect.poll(found).toBeDefined()
      return String(await found())
    },

    /** A visitor sends a request. */
    async arrive(
      firstName: string,
      lastName: string,
      changes: Partial<ContactRequest> = {},
      source: LeadSource = { landing: '/', referrer: 'google.com' },
    ) {
      const email = `${firstName.toLowerCase()}@example.com`
      const typed = { firstName, lastName, email, phone: '', company: '', website: '', message: 'Hello!' }
      const clues = { isHoneypotFilled: false, formAgeMs: MINUTE_MS }
      const sender = { client: randomUUID(), idempotencyKey: null, formToken: null, clues, source }
      await server.deps.submit({ ...typed, budget: samplePlan.id, ...changes }, sender)
    },
    /** Runs a job. */
    run: <Result>(job: (deps: InboxDeps) => Result) => job(server.deps),
    /**
     * An owner does something with a lead on another device: `by(ben, 'Dana', markLead, { state:
     * 'won' })`.
     */
    async by<Input>(
      who: string,
      firstName: string,
      work: (deps: InboxDeps, input: Input) => Promise<unknown>,
      input: object = {},
    ) {
      const { reference, version } = await lead(firstName)
      await work(server.deps, { reference, version, who, key: randomUUID(), base: null, ...input } as Input)
    },
    sendEmails,
    /**
     * The server gives up on the emails that the mail server refuses, as it does after five days.
     */
    async giveUpRefused() {
      await sendEmails()
      const queued_at = new Date(now().getTime() - 6 * DAY_MS).toISOString()
      const tried = { queued_at, due_at: now().toISOString(), attempts: 100 }
      await db
        .updateTable('outbox')
        .set(tried)
        .where('state', '=', 'queued')
        .where('attempts', '>', 0)
        .execute()
      await sendEmails()
    },
    /** The texts of the answers to a person that wait to be sent or were sent. */
    async answers(firstName: string): Promise<string[]> {
      const { id } = await lead(firstName)
      const emails = db.selectFrom('outbox').select('content').where('kind', '=', 'answer')
      const ofLead = emails.where('lead_id', '=', id).where('state', '<>', 'failed')
      const rows = await ofLead.orderBy('id').execute()
      return rows.map(({ content }) => JSON.parse(String(content)).text)
    },
    /** Anna's draft of an answer to a person, as the server has it. */
    async draft(firstName: string): Promise<string | null> {
      const { id } = await lead(firstName)
      const drafts = db.selectFrom('lead_drafts').select('text').where('owner', '=', anna)
      return (await drafts.where('lead_id', '=', id).executeTakeFirst())?.text ?? null
    },

    /** Restarts the server with other settings. `meanwhile` runs while it is stopped. */
    async restart(changes: Settings = {}, meanwhile = async () => {}) {
      await server.stop()
      await meanwhile()
      server = await startServer(db, now, { ...settings, ...changes })
    },
    async close() {
      await server.stop()
      await mail.close()
      await db.destroy()
    },
  }
}

/** Starts what main.ts starts, except the jobs. */
async function startServer(
  db: Database,
  now: () => Date,
  settings: Settings & { DATA_DIR: string; PORT: string },
) {
  const sender = { MAIL_FROM: 'site@agency.example', MAIL_TO: `${anna},${ben}`, VISITOR_RECEIPT: 'on' }
  const env = parseEnv({ ...sender, CONTACT_LIMIT: '100', ...settings })
  const mode = await findDeliveryMode(db, env.SMTP_URL)
  const keys = await readKeys(db)
  const port = await openPort(env)
  const url = `http://localhost:${env.PORT}`
  const log = pino({ level: 'silent' })
  const context = { db, write: createGroupCommit(db), now, log, redact: String, env, siteUrl: url }
  const outbox = createOutbox(context, mode)
  const leads = createLeads(context, { keys, budget: outbox.budget, onStored: outbox.wake })
  const deps = { ...context, ...leads, onQueued: outbox.wake }
  const inbox = createInbox(deps)
  const app = createApp(context, { leads, outbox, inbox })
  port.serve((request, response) => {
    // The page compares its clock with this header.
    response.setHeader('Date', now().toUTCString())
    app(request, response)
  })
  await inbox.start()
  await outbox.start()
  return {
    url,
    deps,
    wake: outbox.wake,
    async stop() {
      inbox.stop()
      await Promise.all([port.stop(), outbox.stop()])
    },
  }
}
