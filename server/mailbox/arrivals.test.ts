import { globSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import request from 'supertest'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readNote } from '../database/notes.ts'
import { checkArrivals } from '../doctor/arrivals.ts'
import { readSummary } from '../inbox/summary.ts'
import { createSmtpMailer } from '../mail/mailer.ts'
import { priorities } from '../outbox/email.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { storeLeads } from '../proof/testing/leads.ts'
import { outboxTools, writeEmailOf } from '../proof/testing/outbox.ts'
import { openRelay, type Relay } from '../proof/testing/relay.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { useMailbox } from '../proof/testing/watched-mailbox.ts'
import { findNews } from '../push/push-news.ts'
import { createArrivalCheck, readArrivalTrouble } from './arrivals.ts'

const MINUTE_MS = 60_000
const DAY = 24 * 60

describe.skipIf(!hasDovecot())('with a real mailbox, and a mail server that delivers into it', () => {
  const site = useTestApp({ limit: 10_000 })
  const { deliver, rows } = outboxTools(site)
  const { server, open } = useMailbox(site)
  let relay: Relay
  let check: () => Promise<void>
  /** Whatever was in trouble after any check. */
  let told: string[]

  beforeEach(async () => {
    Object.assign(site.context.env, { IMAP_URL: server.url, MAIL_TO: [server.user] })
    relay = await openRelay()
    onTestFinished(() => relay.close())
    told = []
    start()
  })

  /** Starts the job, as each of these replicas does. */
  function start(changes = {}, replicas = 1) {
    const env = { ...site.context.env, ...changes }
    const jobs = Array.from({ length: replicas }, () => createArrivalCheck({ ...site.context, env }))
    check = async () => {
      for (const run of jobs) await run(new AbortController().signal)
      const { state, to, since } = (await readArrivalTrouble(site.db)) ?? {}
      const words = `${state} ${to} ${since}`
      if (state && !told.includes(words)) told.push(words)
    }
  }

  const email = () => relay.emails.at(-1)?.text.replaceAll('\n', '\r\n') ?? ''
  const receive = (into: string) => server.deliver(email(), into, new Date(site.clock.now.getTime() + 3_000))
  /** Sends a notice by SMTP. The mail server accepts it, and delivers it into this folder. */
  async function notice(into?: string, isSuspect = false) {
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
  }
  const isRead = () =>
    expect
      .poll(() => readNote(site.db, 'mailbox_read_at'), { timeout: 30_000, interval: 10 })
      .toBe(site.clock.now.toISOString())
  /** Lets time pass, and the jobs run. `isUp`: whether the mailbox is read meanwhile. */
  async function pass(minutes: number, { isUp = true, step = 6 } = {}) {
    for (let passed = 0; passed < minutes; passed += step) {
      site.advanceClock(step * MINUTE_MS)
      if (isUp) await isRead()
      await check()
    }
  }
  const arrived = (count: number) =>
    expect
      .poll(async () => (await rows()).filter((row) => row.arrived_in).map((row) => row.arrived_in))
      .toHaveLength(count)
  /** What the inbox, a monitor, doctor, and phones say. */
  async function says() {
    const summary = await readSummary(site.db, { now: site.clock.now, hasMailServer: true })
    site.advanceClock(1000)
    const { body } = await request(site.app).get('/healthz/mail')
    const doctor = await checkArrivals({ db: site.db, env: site.context.env })
    return [summary.mail.state, body.status, `${doctor.state}: ${doctor.seen}`]
  }
  const pushed = async (sinceMinutes: number) => {
    const since = new Date(site.clock.now.getTime() - sinceMinutes * MINUTE_MS)
    return (await findNews(site.db, since.toISOString(), site.clock.now)).filter(({ tag }) =>
      /^mail/.test(tag),
    )
  }

  test('of notices that arrive, doctor says how long they took, and all is well', async () => {
    await open()
    await check()
    expect(await says()).toEqual(['ok', 'ok', expect.stringMatching(/^ok: It is not known/)])
    await notice('INBOX')
    await arrived(1)
    await pass(DAY / 12)
    expect(await says()).toEqual(['ok', 'ok', 'ok: The last notices (1) took 3 s to 3 s.'])
    await notice('Archive')
    await arrived(2)
    expect((await rows()).map((row) => row.arrived_in)).toEqual(['inbox', 'archive'])
    expect(told).toEqual([])
  })

  test('a notice in Junk is said at once, and once; and no more when the owner moves it to the inbox', async () => {
    await open()
    await check()
    await notice('Junk')
    await arrived(1)
    await pass(1, { step: 1 })
    const words = `Emails about requests land in the junk folder of ${server.user}.`
    expect(await says()).toEqual(['junk', 'junk', `warning: ${words}`])
    expect(await pushed(1)).toMatchObject([{ title: words, url: '/inbox' }])
    await notice('Junk')
    await arrived(2)
    await pass(60)
    expect((await says())[0]).toBe('junk')
    expect(told).toHaveLength(1)
    const [file = ''] = globSync(join(server.maildir, '.Junk/new/*'))
    renameSync(file, join(server.maildir, 'cur', `${basename(file)}:2,S`))
    await expect.poll(async () => (await rows()).map((row) => row.arrived_in)).toEqual(['inbox', 'junk'])
    await pass(60)
    expect((await says())[0]).toBe('ok')
    expect(told).toHaveLength(1)
  })

  test('a notice that is swallowed is said within an hour, once, until another one arrives', async () => {
    await open()
    await check()
    await notice()
    await pass(54)
    expect(await says()).toEqual(['ok', 'ok', expect.anything()])
    await pass(6)
    const words = `An email about a request has not come to ${server.user}.`
    expect(await says()).toEqual(['missing', 'missing', `warning: ${words}`])
    expect(await pushed(5)).toMatchObject([{ title: words }])
    await notice()
    await pass(3 * 60)
    expect(await pushed(60)).toEqual([])
    expect((await says())[0]).toBe('missing')
    expect(told).toHaveLength(1)
    await notice('INBOX')
    await arrived(1)
    await pass(2 * 60)
    expect((await says())[0]).toBe('ok')
    await notice()
    await pass(60)
    expect(told).toHaveLength(2)
  })

  test('one that is swallowed between others that arrive is said, too', async () => {
    await open()
    await check()
    for (const into of ['INBOX', undefined, 'INBOX']) await notice(into)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  })

  test('a mailbox of another name is known by the notices that have come to it', async () => {
    Object.assign(site.context.env, { MAIL_TO: ['info@example.com'] })
    start()
    await open()
    await check()
    await notice()
    await pass(90)
    expect(told).toEqual([])
    await notice('INBOX')
    await arrived(1)
    await pass(6)
    await notice()
    await pass(60)
    expect(told).toEqual([expect.stringMatching(/^missing info@example.com/)])
    // Another mailbox is another matter.
    start({ IMAP_URL: 'imap://other:secret@127.0.0.1:1' })
    await check()
    expect(await readArrivalTrouble(site.db)).toBeUndefined()
    start({ IMAP_URL: undefined })
    await check()
    expect(await readArrivalTrouble(site.db)).toBeUndefined()
  })

  test.each([
    ['moved by a rule', () => receive('Leads')],
    ['deleted at once, into the trash', () => receive('Trash')],
    [
      'given another Message-ID by the mail service',
      () =>
        server.deliver(
          email().replace(/^Message-ID: .*/im, 'Message-ID: <other@ses>'),
          'Leads',
          site.clock.now,
        ),
    ],
  ])('a notice is not missed that was %s', async (_what, receiveIt) => {
    await open()
    await check()
    await notice()
    receiveIt()
    await pass(90)
    expect(told).toEqual([])
    expect((await rows()).map((row) => row.arrived_in)).toEqual(['archive'])

    await notice()
    await pass(60)
    expect(told).toHaveLength(1)
    await notice()
    receiveIt()
    await pass(66)
    expect((await says())[0]).toBe('ok')
    expect(told).toHaveLength(1)
  })

  test('a notice in Junk is also said if the mail service gave it another Message-ID', async () => {
    await open()
    await check()
    await notice()
    server.deliver(email().replace(/^Message-ID: .*/im, 'Message-ID: <other@ses>'), 'Junk', site.clock.now)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^junk/)])
  })

  test('what Gmail keeps of a notice that was sent is no proof that it arrived', async () => {
    await open()
    await check()
    await notice()
    for (const folder of ['Sent', 'All Mail']) receive(folder)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  })

  test('an earlier notice of the same request is no proof, either', async () => {
    await open()
    await check()
    const first = await notice('INBOX')
    await arrived(1)
    await pass(30)
    const { id: _id, ...row } = { ...first, message_id: `<${first?.lead_id}.reply-x.0@agency.example>` }
    const at = site.clock.now.toISOString()
    await site.db
      .insertInto('outbox')
      .values({ ...row, sent_at: at, arrived_at: null, arrived_in: null } as never)
      .execute()
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  })

  test('suspected spam in Junk is no trouble', async () => {
    await open()
    await check()
    await notice('Junk', true)
    await arrived(1)
    await pass(60)
    expect(told).toEqual([])
  })

  test('a visitor who knows the ID of the lead, as from a receipt, cannot tell the ID of a notice', async () => {
    const bob = 'bob@agency.example'
    Object.assign(site.context.env, { MAIL_TO: [server.user, bob] })
    start()
    await open()
    await check()
    const { lead_id } = (await notice()) ?? {}
    const own = relay.emails.find(({ recipient }) => recipient === server.user)
    server.deliver(own?.text.replaceAll('\n', '\r\n') ?? '', 'INBOX', site.clock.now)
    await arrived(1)
    for (const [index, folder] of ['INBOX', 'Junk'].entries())
      server.deliver(
        `From: ada@example.com\r\nMessage-ID: <${lead_id}.${index}@agency.example>\r\n\r\nHi\r\n`,
        folder,
      )
    await pass(66)
    expect(told).toEqual([])
    expect((await readNote(site.db, 'mail_arrival'))?.addresses).not.toContain(bob)
  })

  test('a visitor who forges the ID of a notice that has arrived raises no alarm', async () => {
    await open()
    await check()
    const { message_id } = (await notice('INBOX')) ?? {}
    await arrived(1)
    server.deliver(
      `From: ada@example.com\r\nMessage-ID: ${message_id}\r\n\r\nSpam\r\n`,
      'Junk',
      site.clock.now,
    )
    await pass(60)
    expect(told).toEqual([])
    expect((await rows()).map((row) => row.arrived_in)).toEqual(['inbox'])
  })

  test('with 1,000 notices, there is no false alarm: while the mailbox is down for a day, with restarts, two replicas, bursts, and owners who move and delete', async () => {
    let count = 0
    /** Notices that the mail server has accepted. Returns them as emails. */
    async function burst(length: number) {
      const at = site.clock.now.toISOString()
      const leads = await storeLeads(site.db, ...Array.from({ length }, () => ({ created_at: at })))
      const notices = leads.map(({ id }) => ({
        lead_id: id,
        kind: 'owner_notice' as const,
        recipient: server.user,
        priority: priorities.owner,
        state: 'sent' as const,
        queued_at: at,
        due_at: at,
        sent_at: at,
        message_id: `<${id}.0@agency.example>`,
      }))
      await site.db.insertInto('outbox').values(notices).execute()
      count += length
      return notices.map(
        ({ message_id }) => `From: site@agency.example\r\nMessage-ID: ${message_id}\r\n\r\nHi\r\n`,
      )
    }
    const receiveAll = (emails: string[], folders: (string | undefined)[]) => {
      for (const [index, each] of emails.entries())
        for (const folder of ['Sent', folders[index % folders.length]])
          if (folder) server.deliver(each, folder, site.clock.now)
    }
    start({}, 2)
    await open()
    await check()
    for (let step = 0; step < 5; step++) {
      receiveAll(await burst(60), ['INBOX', 'INBOX', 'INBOX', 'Archive', 'INBOX', 'Trash', 'Leads'])
      await pass(9, { step: 9 })
    }
    await pass(63, { step: 9 })
    await server.stop()
    const late: string[] = []
    for (let step = 0; step < 19; step++) {
      const emails = await burst(20)
      // The rest is deleted before the server sees it.
      receiveAll(emails.slice(0, 7), ['INBOX'])
      late.push(...emails.slice(7, 14))
      await pass(72, { step: 9, isUp: false })
      if (step % 7 === 0) start({}, 2)
    }
    await burst(20)
    await server.start()
    await pass(54, { step: 9 })
    receiveAll(late, ['INBOX', 'Leads'])
    site.advanceClock(-3 * 60 * MINUTE_MS)
    for (let step = 0; step < 5; step++) {
      receiveAll(await burst(60), ['INBOX', 'Trash', 'INBOX'])
      await pass(9, { step: 9 })
    }
    await pass(2 * 60, { step: 9 })
    expect(count).toBe(1_000)
    expect(told).toEqual([])
    // All of this hides nothing.
    await burst(1)
    await pass(63, { step: 9 })
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  }, 120_000)
})
