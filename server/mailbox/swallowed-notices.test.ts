import { describe, expect, test } from 'vitest'
import { priorities } from '../outbox/email.ts'
import { useArrivals } from '../proof/testing/arrivals.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { storeLeads } from '../proof/testing/leads.ts'
import { readArrivalTrouble } from './arrivals.ts'

const MINUTE_MS = 60_000

describe.skipIf(!hasDovecot())('with a real mailbox, and a mail server that swallows what it accepts', () => {
  const site = useTestApp({ limit: 10_000 })
  const { server, told, start, check, receive, begin, notice, pass, arrived, says, pushed } =
    useArrivals(site)

  test('a notice that is swallowed is said within an hour, once, until another one arrives', async () => {
    await begin()
    await notice()
    await pass(54)
    expect(await says()).toEqual(['ok', 'ok', expect.anything()])
    await pass(6, { step: 6 })
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
    await begin()
    for (const into of ['INBOX', undefined, 'INBOX']) await notice(into)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  })

  test('a mailbox of another name is known by the notices that have come to it', async () => {
    Object.assign(site.context.env, { MAIL_TO: ['info@example.com'] })
    start()
    await begin()
    await notice()
    await pass(90)
    expect(told).toEqual([])
    await notice('INBOX')
    await arrived(1)
    await pass(6)
    await notice()
    await pass(60)
    expect(told).toEqual([expect.stringMatching(/^missing info@example.com/)])
    await notice('INBOX')
    await arrived(2)
    await pass(6)
    await notice()
    await pass(60)
    expect(told).toHaveLength(2)
    // Another mailbox is another matter.
    start({ IMAP_URL: 'imap://other:secret@127.0.0.1:1' })
    await check()
    expect(await readArrivalTrouble(site.db)).toBeUndefined()
    start({ IMAP_URL: undefined })
    await check()
    expect(await readArrivalTrouble(site.db)).toBeUndefined()
  })

  /** Of two notices to this address, only the first arrives. */
  async function swallow(mailTo: string) {
    Object.assign(site.context.env, { MAIL_TO: [mailTo] })
    start()
    await begin()
    await notice('INBOX')
    await arrived(1)
    await pass(6)
    await notice()
    await pass(60)
  }

  test('if an owner had her mail sent on to the mailbox for a while, that it has ended is said for a day', async () => {
    await swallow('cleo@agency.example')
    expect(told).toEqual([expect.stringMatching(/^missing cleo@/)])
    site.advanceClock(22 * 60 * MINUTE_MS)
    await check()
    expect((await says())[0]).toBe('missing')
    site.advanceClock(60 * MINUTE_MS)
    await check()
    expect((await says())[0]).toBe('ok')
    await notice()
    await pass(90)
    expect((await says())[0]).toBe('ok')
  })

  test('that the mailbox of MAIL_FROM, whatever its user is called, gets no notices anymore is said for longer', async () => {
    await swallow('site@agency.example')
    site.advanceClock(25 * 60 * MINUTE_MS)
    await check()
    expect((await says())[0]).toBe('missing')
  })

  test('what Gmail keeps of a notice that was sent is no proof that it arrived', async () => {
    await begin()
    await notice()
    for (const folder of ['Sent', 'All Mail']) receive(folder)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  })

  test('an earlier notice of the same request is no proof, either', async () => {
    await begin()
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
    await begin()
    for (let step = 0; step < 5; step++) {
      receiveAll(await burst(60), ['INBOX', 'INBOX', 'INBOX', 'Archive', 'INBOX', 'Trash', 'Leads'])
      await pass(9)
    }
    await pass(63)
    await server.stop()
    const late: string[] = []
    for (let step = 0; step < 19; step++) {
      const emails = await burst(20)
      // The rest is deleted before the server sees it.
      receiveAll(emails.slice(0, 7), ['INBOX'])
      late.push(...emails.slice(7, 14))
      await pass(72, { isUp: false })
      if (step % 7 === 0) start({}, 2)
    }
    await burst(20)
    await server.start()
    await pass(54)
    receiveAll(late, ['INBOX', 'Leads'])
    site.advanceClock(-3 * 60 * MINUTE_MS)
    for (let step = 0; step < 5; step++) {
      receiveAll(await burst(60), ['INBOX', 'Trash', 'INBOX'])
      await pass(9)
    }
    await pass(2 * 60)
    expect(count).toBe(1_000)
    expect(told).toEqual([])
    // All of this hides nothing.
    await burst(1)
    await pass(63)
    expect(told).toEqual([expect.stringMatching(/^missing/)])
  }, 120_000)
})
