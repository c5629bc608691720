import { chmodSync, globSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkMailbox } from '../doctor/mailbox.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { bounceOf, mailboxTools } from '../proof/testing/mailbox.ts'
import { email, fromOwner, sentId, useMailbox } from '../proof/testing/watched-mailbox.ts'
import { readAllSetAside } from './set-aside.ts'
import { readTrouble } from './trouble.ts'

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
  const { read } = leadTools(site)
  const { server, between, kinds, open, setAside, texts, watch, watched } = useMailbox(site)
  const fromAda = (id: string, headers = '') =>
    `From: Ada <ada@example.com>\r\nTo: site@agency.example\r\n${headers}Message-ID: <${id}>\r\n\r\nText ${id}\r\n`
  /** Waits until what came to the inbox last has been read. */
  const readAll = async (reference: string, answers: string, id: string) => {
    server.deliver(email(answers, id))
    await expect.poll(() => texts(reference)).toContain(`Text ${id}`)
  }

  test('what an email program puts into a sent folder of its own counts, also if it makes that folder later', async () => {
    const { reference, answers } = await watched()
    await readAll(reference, answers, '1@x')
    expect((await read(reference)).state).toBe('open')
    server.deliver(fromOwner, 'Sent Messages')
    await expect.poll(() => kinds(reference)).toEqual(['reply', 'answered_by_mail'])
    await readAll(reference, sentId, '2@x')
    server.deliver(fromOwner.replace('new@', 'later@').replace('Can', 'When can'), 'Gesendet')
    await expect
      .poll(() => kinds(reference))
      .toEqual(['reply', 'answered_by_mail', 'reply', 'answered_by_mail'])
    expect((await read(reference)).state).toBe('answered')
  })

  test('of Junk and Archive, what answers our emails belongs to its lead, also if it came while the server was down', async () => {
    const { reference, answers, stop } = await watched()
    await readAll(reference, answers, 'first@x')
    await stop()
    server.deliver(email(answers, 'junk@x'), 'Junk')
    server.deliver(email(answers, 'archived@x'), 'Archive')
    // These look like hers, as anybody's can.
    server.deliver(fromAda('fresh@x'), 'Junk')
    server.deliver(fromAda('named@x', `Subject: Re: ${reference}\r\n`), 'Junk')
    server.deliver(fromAda('theirs@x', 'In-Reply-To: <first@x>\r\n'), 'Archive')
    watch()
    await readAll(reference, answers, 'last@x')
    await expect.poll(() => texts(reference)).toHaveLength(4)
    await readAll(reference, answers, 'end@x')
    expect((await texts(reference)).toSorted()).toEqual(
      ['first@x', 'junk@x', 'archived@x', 'last@x', 'end@x'].map((id) => `Text ${id}`).toSorted(),
    )
  })

  test('what was archived below Archives, by years, belongs to its lead', async () => {
    const { reference, answers } = await watched()
    await readAll(reference, answers, '1@x')
    server.deliver(fromAda('other@x'), 'Archives')
    server.deliver(email(answers, 'archived@x'), 'Archives.2026')
    await expect.poll(() => texts(reference)).toContain('Text archived@x')
  })

  test("what was archived into Gmail's All Mail belongs to its lead, also beside a folder named Archive", async () => {
    const { reference, answers } = await watched()
    for (const folder of ['Archive', 'All Mail']) server.deliver(fromAda('other@x'), folder)
    await readAll(reference, answers, '1@x')
    server.deliver(email(answers, 'archived@x'), 'All Mail')
    await expect.poll(() => texts(reference)).toContain('Text archived@x')
  })

  test('a report in Junk counts, and a message that is archived is stored once', async () => {
    const { reference, answers } = await watched()
    await readAll(reference, answers, '1@x')
    server.deliver(fromAda('other@x'), 'Archive')
    const [file = ''] = globSync(join(server.maildir, '{new,cur}/*'))
    renameSync(file, join(server.maildir, '.Archive', 'cur', `${basename(file).split(':')[0]}:2,S`))
    server.deliver(
      `From: MAILER-DAEMON@mx.example.com\r\nMessage-ID: <report@x>\r\n${bounceOf(answers).replaceAll('\n', '\r\n')}`,
      'Junk',
    )
    await expect.poll(() => kinds(reference)).toContain('answer_failed')
    await readAll(reference, answers, '2@x')
    expect(await kinds(reference)).toEqual(['reply', 'answer_failed', 'reply'])
  })

  test('what answers no email of ours is not fetched from Junk', async () => {
    const { reference, answers, url, hostile } = await between()
    hostile.set(2, { mischief: 'answers NO', when: 'beyond headers' })
    server.deliver(email(answers, 'junk@x'), 'Junk')
    server.deliver(fromAda('fresh@x'), 'Junk')
    server.deliver(email(answers, 'last@x'), 'Archive')
    watch(url)
    await expect.poll(() => texts(reference)).toEqual(['Text junk@x', 'Text last@x'])
    expect(await readAllSetAside(site.db, new Date(0))).toEqual([])
  })

  test('a message that is deleted, or archived, between its headers and its text is no trouble', async () => {
    const { reference, answers, url, hostile } = await between()
    for (const uid of [1, 2]) hostile.set(uid, { mischief: 'deletes it first', when: 'beyond headers' })
    for (const id of ['deleted@x', 'archived@x']) server.deliver(email(answers, id))
    server.deliver(email(answers, 'archived@x'), 'Archive')
    server.deliver(email(answers, '3@x'))
    watch(url)
    await expect.poll(() => texts(reference)).toEqual(['Text 3@x', 'Text archived@x'])
    expect(await setAside()).toEqual([])
    expect(await readTrouble(site.db)).toBeNull()
  })

  test('what was in the folders before the mailbox was first watched is not read', async () => {
    const { reference, answers } = await mailboxTools(site).answered()
    for (const folder of ['INBOX', 'Junk', 'Archive']) server.deliver(email(answers, 'old@x'), folder)
    for (const folder of ['Sent', 'Sent Messages']) server.deliver(fromOwner, folder)
    await open()
    await readAll(reference, answers, '1@x')
    expect(await texts(reference)).toEqual(['Text 1@x'])
  })

  test('a folder that cannot be read keeps no other from being read, and is named by doctor', async () => {
    server.deliver(fromAda('news@x'), 'Junk')
    server.deliver(fromAda('news@x'), 'Archive')
    const { reference, answers } = await watched()
    chmodSync(join(server.maildir, '.Junk'), 0)
    await readAll(reference, answers, '1@x')
    server.deliver(email(answers, 'archived@x'), 'Archive')
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text archived@x'])
    expect(
      site.logLines.filter((line) => line.includes('a folder of the mailbox cannot be read')),
    ).toHaveLength(1)
    const found = (await checkMailbox(server.url)).map(({ state, seen }) => `${state}: ${seen}`)
    expect(found).toEqual([
      expect.stringMatching(/^ok: .*Folders that are read: INBOX, Junk, Archive; of sent messages: Sent/),
      expect.stringMatching(/^warning: The folder Junk cannot be read/),
    ])
  })

  test.each([
    ['a group', 'X-Original-From: Ada <ada@example.com>\r\nX-Original-Sender: ada@example.com\r\n'],
    ['a forwarder', 'Reply-To: Ada <ada@example.com>\r\n'],
  ])('a reply whose sender was rewritten by %s is of its sender', async (_who, headers) => {
    const { reference, answers } = await watched()
    const rewritten = (names: string, id: string) =>
      `From: Ada via Site <site@agency.example>\r\n${headers}To: site@agency.example\r\nMessage-ID: <${id}>\r\nIn-Reply-To: ${names}\r\n\r\nText ${id}\r\n`
    server.deliver(rewritten('<unknown@x>', 'forged@x'))
    server.deliver(rewritten(answers, '1@x'))
    await expect.poll(() => kinds(reference)).toEqual(['reply'])
    expect(await texts(reference)).toEqual(['Text 1@x'])
  })
})
