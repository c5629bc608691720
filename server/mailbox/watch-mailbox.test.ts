import { chmodSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, test, vi } from 'vitest'
import { CUT, UNREADABLE } from '../leads/messages/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { anna, erase, leadTools } from '../proof/testing/leads.ts'
import { bounceOf, mailboxTools } from '../proof/testing/mailbox.ts'
import { waitUntil } from '../proof/testing/wait-until.ts'
import { email, fromOwner, sentId, useMailbox, withBody } from '../proof/testing/watched-mailbox.ts'
import { MAX_TRIES } from './limits.ts'
import { setAside as noteAside } from './set-aside.ts'
import { isReadSince, readTrouble, writeTrouble } from './trouble.ts'

const MINUTE_MS = 60_000

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
  const { read } = leadTools(site)
  const tools = useMailbox(site)
  const { server, between, inboxNote, kinds, open, pass, passTime, setAside, texts, watch, watched } = tools
  const fresh = (id: string) => `From: Ada <ADA@example.com>\r\nMessage-ID: <${id}>\r\n\r\nText ${id}\r\n`
  const report = (head: string, id: string) =>
    `From: MAILER-DAEMON@mx.example.com\r\n${head}Message-ID: <report@x>\r\n${bounceOf(id).replaceAll('\n', '\r\n')}`

  test('of what is new, files are named with their sizes, texts behind them are read, and all stays unread', async () => {
    const { reference, answers } = await mailboxTools(site).answered()
    server.deliver(email(answers, 'old@x'))
    await open()
    const part = (headers: string, base64: string) =>
      `${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`
    const words = (text: string) => `Content-Type: text/plain\r\n\r\n${text}`
    const photo = part('Content-Type: image/jpeg; name=roof.jpg', 'A'.repeat(2_000_000))
    const deliver = (id: string, ...parts: string[]) => {
      const body = parts.map((each) => `--b\r\n${each}\r\n`).join('')
      server.deliver(
        withBody(answers, id, `Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`),
      )
    }
    const logo = 'Content-Type: image/png; name=logo.png\r\nContent-ID: <logo>\r\n\r\nx'
    const withLogo = `Content-Type: multipart/related; boundary=r\r\n\r\n--r\r\n\r\nText 1@x\r\n--r\r\n${logo}\r\n--r--`
    const pdf = part("Content-Disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf", 'AAAA')
    deliver('1@x', withLogo, photo, pdf)
    const quoted = (text: string) =>
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${text}`
    deliver(
      '2@x',
      words('Text 2@x'),
      photo,
      quoted('Gr=C3=BC=C3=9Fe'),
      photo,
      part('Content-Type: text/html', 'PGI+ZW5kPC9iPg=='),
    )
    deliver('3@x', photo, words('below'))
    // The text begins within what is read at first.
    const long = Array.from({ length: 200 }, (_each, index) => `word ${index}`).join(' ')
    deliver('4@x', part('Content-Type: image/png', 'A'.repeat(126_500)), quoted(long), words('end'))
    deliver('5@x', photo, 'Content-Type: message/rfc822\r\n\r\nSubject: Other\r\n\r\nOther words')
    deliver('6@x', ...Array.from({ length: 12 }, (_each, index) => [photo, words(`Part ${index}.`)]).flat())
    deliver('7@x', words('Many files'), ...Array(51).fill(pdf))
    deliver('8@x', ...Array(51).fill(pdf))
    const expected = [
      'Text 1@x',
      'Text 2@x\n\nGrüße\n\nend',
      'below',
      `${long}\n\nend`,
      UNREADABLE,
      expect.stringMatching(/^Part 0\.\n\nPart 1\.(?:.|\n)*Part 9\.\n\n.*mailbox/),
      `Many files\n\n${CUT}`,
      CUT,
    ]
    await expect.poll(() => texts(reference)).toEqual(expected)
    const replies = site.db.selectFrom('lead_events').select('received').where('what', '=', 'reply')
    const { received } = await replies.executeTakeFirstOrThrow()
    expect(JSON.parse(received ?? '').attachments).toEqual(['roof.jpg (1.5 MB)', 'Größe.pdf (1 kB)'])
    expect(await isReadSince(site.db, site.clock.now)).toBe(true)
    // A message that was opened would have been moved from "new".
    expect(globSync(join(server.maildir, 'new', '*'))).toHaveLength(9)
  })

  test('these are fetched: replies, answers to what came with them, reports, and what is from or to people with a lead', async () => {
    const { reference, answers, url, hostile } = await between()
    const parse = vi.spyOn(PostalMime, 'parse')
    const atWork = (id: string, answer: string) =>
      email(answer, id).replace('ada@example.com', 'ada@work.example')
    server.deliver(atWork('1@x', answers))
    server.deliver(atWork('2@x', '<1@x>'))
    server.deliver(fresh('fresh@x'))
    server.deliver('From: stranger@example.com\r\nMessage-ID: <news@x>\r\n\r\nText news\r\n')
    const stranger = email('<unknown@x>', 'stranger@x').replace('ada@example.com', 'stranger@example.com')
    const date = 'Mon, 2 Mar 2026 10:00:00 +0100'
    const reports = [
      'Return-Path: <>',
      'Content-Type: multipart/report',
      'X: y\r\nFrom: Postmaster <a@b>',
    ].map((mark) => `${mark}\r\nDate: ${date}\r\n\r\nMay be a report`)
    // Whatever is fetched of these is set aside.
    for (const [index, message] of [stranger, ...reports].entries()) {
      hostile.set(index + 5, { mischief: 'answers NO', when: 'beyond headers' })
      server.deliver(message)
    }
    server.deliver(fromOwner.replace('ada@', 'stranger@').replace('new@', 'private@'), 'Sent')
    server.deliver(fromOwner, 'Sent')
    server.deliver(report('Return-Path: <>\r\n', answers))
    watch(url)
    await expect.poll(() => kinds(reference)).toContain('answer_failed')
    expect((await texts(reference)).toSorted()).toEqual([
      'Can we start?',
      'Text 1@x',
      'Text 2@x',
      'Text fresh@x',
    ])
    const areGivenUp = async () => {
      passTime()
      const messages = (await setAside()).map(({ uid, date, tries }) => ({ uid, date, tries }))
      return messages.toSorted((one, other) => one.uid - other.uid)
    }
    // The headers of a report say nothing.
    await expect.poll(areGivenUp).toEqual([6, 7, 8].map((uid) => ({ uid, date, tries: MAX_TRIES })))
    // Whatever costs time happens in another thread.
    expect(parse).not.toHaveBeenCalled()
  })

  test('a mailbox without a folder of sent messages is in no trouble, and what is in it later counts', async () => {
    const { state, url, reference } = await between()
    await site.db.deleteFrom('settings').where('name', '=', 'mailbox_sent').execute()
    await writeTrouble(site.db, { folder: 'sent', since: site.clock.now.toISOString() })
    state.hidesSent = true
    watch(url)
    await expect.poll(() => readTrouble(site.db)).toBeNull()
    await waitUntil('the folder was looked for', () => state.hidden > 2)
    server.deliver(fromOwner, 'Sent')
    state.hidesSent = false
    await expect.poll(() => texts(reference)).toEqual(['Can we start?'])
  })

  test("what owners have sent is read first, so that the visitor's answer to it finds its lead", async () => {
    const { reference } = await between()
    for (let other = 0; other < 60; other++)
      server.deliver(email('<any@x>', `${other}@other`).replace(/To: .*/, 'To: somebody@example.com'), 'Sent')
    server.deliver(fromOwner, 'Sent')
    server.deliver(email(sentId, '1@x'))
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Can we start?', 'Text 1@x'])
    expect((await read(reference)).state).toBe('open')
  })

  test("an answer, and a report, that come before the owner's email is shown belong to its lead after all", async () => {
    const { reference, url, hostile } = await between()
    // The first one in the other folder can be read.
    hostile.set(3, { mischief: 'answers NO', when: 'always' })
    server.deliver(email(sentId, '1@x'))
    server.deliver(report('', sentId))
    server.deliver(email('<unknown@x>', 'hostile@x'))
    watch(url)
    // Less than the first pause.
    await pass(1_000)
    expect(await kinds(reference)).toEqual([])
    server.deliver(fromOwner, 'Sent')
    await expect.poll(() => kinds(reference)).toEqual(['answered_by_mail', 'reply', 'answer_failed'])
    // What cannot be read keeps its pauses.
    expect(await setAside()).toMatchObject([{ uid: 3, tries: 1 }])
  })

  test.each([
    ['for hours, which is noted once', ['answered_by_mail', 'reply'], true],
    ['not at all', ['answered_by_mail'], false],
  ])(
    'an answer waits while the folder of sent messages cannot be read: %s',
    async (_what, expected, isBroken) => {
      const { reference } = await between()
      const folder = join(server.maildir, '.Sent')
      server.deliver('From: news@example.org\r\n\r\nNews\r\n', 'Sent')
      if (isBroken) chmodSync(folder, 0)
      watch()
      server.deliver(email(sentId, '1@x'))
      await pass(3 * 60 * MINUTE_MS)
      await pass(3 * 60 * MINUTE_MS)
      expect((await readTrouble(site.db))?.folder).toBe(isBroken ? 'sent' : undefined)
      expect(site.logLines.filter((line) => line.includes('cannot be read'))).toHaveLength(isBroken ? 1 : 0)
      server.deliver(fromOwner, 'Sent')
      chmodSync(folder, 0o755)
      await expect.poll(() => kinds(reference)).toContain('answered_by_mail')
      await pass(MINUTE_MS)
      expect(await kinds(reference)).toEqual(expected)
    },
  )

  test('an answer waits for hours for a folder of sent messages that was read before', async () => {
    const { reference, state, url } = await between()
    state.hidesSent = true
    watch(url)
    server.deliver(email(sentId, '1@x'))
    for (let times = 0; times < 3; times++) {
      await pass(60 * MINUTE_MS)
      const { hidden } = state
      await waitUntil('the folder was looked for', () => state.hidden > hidden)
    }
    server.deliver(fromOwner, 'Sent')
    state.hidesSent = false
    await expect.poll(() => kinds(reference)).toEqual(['answered_by_mail', 'reply'])
  })

  test('after the server was replaced (a new UIDVALIDITY), nothing is missed, read twice, from before, or of an erased person', async () => {
    // As if it had been copied there: its date is old, but not when the server got it.
    server.deliver(`Date: Mon, 2 Mar 2020 10:00:00 +0100\r\n${fresh('before@x')}`)
    const { stop, reference, answers } = await watched()
    const fromEve = email(answers, 'eve@x').replace('ada@', 'eve@')
    server.deliver(email('<unknown@x>', 'first@x'))
    server.deliver(fromEve, 'INBOX', new Date(Date.now() - MINUTE_MS))
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text eve@x', 'Text 1@x'])
    site.clock.now = new Date()
    await erase(site, 'eve@example.com')
    await stop()
    await server.stop()
    // A message is gone, so that the next ones get numbers that were used before.
    server.remove(2)
    for (const file of globSync(join(server.maildir, 'dovecot*'))) rmSync(file)
    server.deliver(email(answers, '2@x'))
    const { of = '' } = (await inboxNote()) ?? {}
    await noteAside(site.db, { folder: 'inbox', of, now: site.clock.now, isLast: false }, { uid: 1 })
    // Dovecot's UIDVALIDITY is the time in seconds.
    await waitUntil('the next second', () => Date.now() >= 1_000 * (Number(of.split(' ').at(-1)) + 1))
    await server.start()
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
    expect(await setAside()).toEqual([])
  })
})
