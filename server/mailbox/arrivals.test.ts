import { globSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readNote } from '../database/notes.ts'
import { useArrivals } from '../proof/testing/arrivals.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'

const DAY = 24 * 60

describe.skipIf(!hasDovecot())('with a real mailbox, and a mail server that delivers into it', () => {
  const site = useTestApp({ limit: 10_000 })
  const { server, rows, told, start, email, receive, sent, begin, notice, pass, arrived, says, pushed } =
    useArrivals(site)

  test('of notices that arrive, doctor says how long they took, and all is well', async () => {
    await begin()
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
    await begin()
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
    await begin()
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
    await begin()
    await notice()
    server.deliver(email().replace(/^Message-ID: .*/im, 'Message-ID: <other@ses>'), 'Junk', site.clock.now)
    await pass(66)
    expect(told).toEqual([expect.stringMatching(/^junk/)])
  })

  test('suspected spam in Junk is no trouble', async () => {
    await begin()
    await notice('Junk', true)
    await arrived(1)
    await pass(60)
    expect(told).toEqual([])
  })

  test('a visitor who knows the ID of the lead, as from a receipt, cannot tell the ID of a notice', async () => {
    const bob = 'bob@agency.example'
    Object.assign(site.context.env, { MAIL_TO: [server.user, bob] })
    start()
    await begin()
    const { lead_id } = (await notice()) ?? {}
    const own = sent().find(({ recipient }) => recipient === server.user)
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
    await begin()
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
})
