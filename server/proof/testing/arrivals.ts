import request from 'supertest'
import { beforeEach, expect, onTestFinished } from 'vitest'
import { readNote } from '../../database/notes.ts'
import { checkArrivals } from '../../doctor/arrivals.ts'
import { readSummary } from '../../inbox/summary.ts'
import { createSmtpMailer } from '../../mail/mailer.ts'
import { createArrivalCheck, readArrivalTrouble } from '../../mailbox/arrivals.ts'
import { findNews } from '../../push/push-news.ts'
import type { TestApp } from './build-test-app.ts'
import { outboxTools, writeEmailOf } from './outbox.ts'
import { openRelay, type Relay } from './relay.ts'
import { sampleRequest } from './sample-request.ts'
import { useMailbox } from './watched-mailbox.ts'

const MINUTE_MS = 60_000

/**
 * Starts a real mailbox that gets the notices, a mail server that delivers into it, and the job
 * that notes what arrives. Returns functions that send notices and let time pass.
 */
export function useArrivals(site: TestApp) {
  const { deliver, rows } = outboxTools(site)
  const { server, open } = useMailbox(site)
  let relay: Relay
  let jobs: ReturnType<typeof createArrivalCheck>[]
  /** Whatever was in trouble after any check. */
  const told: string[] = []

  beforeEach(async () => {
    Object.assign(site.context.env, { IMAP_URL: server.url, MAIL_TO: [server.user] })
    relay = await openRelay()
    onTestFinished(() => relay.close())
    told.length = 0
    start()
  })

  /** Starts the job, as each of these replicas does. */
  function start(changes = {}, replicas = 1) {
    const env = { ...site.context.env, ...changes }
    jobs = Array.from({ length: replicas }, () => createArrivalCheck({ ...site.context, env }))
  }
  /** Runs the job of each replica once. */
  async function check() {
    for (const run of jobs) await run(new AbortController().signal)
    const { state, to, since } = (await readArrivalTrouble(site.db)) ?? {}
    const words = `${state} ${to} ${since}`
    if (state && !told.includes(words)) told.push(words)
  }

  const email = () => relay.emails.at(-1)?.text.replaceAll('\n', '\r\n') ?? ''
  const receive = (into: string) => server.deliver(email(), into, new Date(site.clock.now.getTime() + 3_000))
  const isRead = () =>
    expect
      .poll(() => readNote(site.db, 'mailbox_read_at'), { timeout: 30_000, interval: 10 })
      .toBe(site.clock.now.toISOString())

  return {
    server,
    rows,
    told,
    start,
    check,
    /** The last email that the mail server accepted. */
    email,
    /** Delivers it into this folder, three seconds later. */
    receive,
    /** All emails that the mail server accepted. */
    sent: () => relay.emails,
    /** Watches the mailbox, and runs the job for the first time. */
    async begin() {
      await open()
      await check()
    },
    /** Sends a notice by SMTP. The mail server accepts it, and delivers it into this folder. */
    async notice(into?: string, isSuspect = false) {
      const message = `A roof, number ${relay.emails.length}.`
      await site.submitLead(sampleRequest({ message }), {
        clues: { isHoneypotFilled: isSuspect, formAgeMs: isSuspect ? 0 : MINUTE_MS },
      })
      relay.misbehave('dot', () => {
        if (into) receive(into)
        return '250 2.0.0 kept'
      })
      const mailer = createSmtpMailer(relay.url)
      await deliver(async (email, signal) => {
        const written = await writeEmailOf(site)(email)
        return typeof written === 'string' ? { unsent: written } : mailer.send(written, signal)
      })
      mailer.close()
      return (await rows()).at(-1)
    },
    /**
     * Lets time pass, and the jobs run every `step` minutes: more than ten would be a gap, after
     * which nothing is known. `isUp`: whether the mailbox is read meanwhile.
     */
    async pass(minutes: number, { isUp = true, step = 9 } = {}) {
      for (let passed = 0; passed < minutes; passed += step) {
        site.advanceClock(step * MINUTE_MS)
        if (isUp) await isRead()
        await check()
      }
    },
    /** Waits until this many notices are known to have arrived. */
    arrived: (count: number) =>
      expect
        .poll(async () => (await rows()).filter((row) => row.arrived_in).map((row) => row.arrived_in))
        .toHaveLength(count),
    /** What the inbox, a monitor, and doctor say. */
    async says() {
      const summary = await readSummary(
        { db: site.db, env: { ...site.context.env, SMTP_URL: 'smtp://x' } },
        site.clock.now,
      )
      site.advanceClock(1000)
      const { body } = await request(site.app).get('/healthz/mail')
      const doctor = await checkArrivals({ db: site.db, env: site.context.env })
      return [summary.mail.state, body.status, `${doctor.state}: ${doctor.seen}`]
    },
    /** What phones are told about email since so many minutes ago. */
    async pushed(sinceMinutes: number) {
      const since = new Date(site.clock.now.getTime() - sinceMinutes * MINUTE_MS)
      const news = await findNews(site.db, since.toISOString(), site.clock.now)
      return news.filter(({ tag }) => /^mail/.test(tag))
    },
  }
}
