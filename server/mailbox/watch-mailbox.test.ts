import { chmodSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { readNote, writeNote } from '../database/settings.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot, startDovecot } from '../proof/testing/dovecot.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { readTrouble } from './trouble.ts'
import { createMailboxWatch } from './watch-mailbox.ts'

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
  const { submit, read, history } = leadTools(site)
  const { answer } = answerTools(site)
  const { rows, deliver } = outboxTools(site)

  let server: Awaited<ReturnType<typeof startDovecot>>
  beforeAll(async () => {
    server = await startDovecot()
  })
  beforeEach(() => server.addMailbox())
  afterAll(() => server[Symbol.asyncDispose]())

  /** Starts to watch the mailbox. Returns a function that stops. */
  function watch(imapUrl = server.url) {
    const stopping = new AbortController()
    const times = { gatherMs: 10, retryAfterMs: 50 }
    const watching = createMailboxWatch({ ...site.context, imapUrl, onQueued() {}, ...times })
    const running = (async () => {
      while (!stopping.signal.aborted) await watching(stopping.signal).catch(() => {})
    })()
    const stop = async () => {
      stopping.abort()
      await running
    }
    onTestFinished(stop)
    return stop
  }
  /** The same, once both folders have been opened for the first time. */
  async function startWatching() {
    const stop = watch()
    const settings = site.db.selectFrom('settings').select('name')
    const notes = settings.where('name', 'in', ['mailbox_inbox', 'mailbox_sent'])
    await expect.poll(() => notes.execute()).toHaveLength(2)
    return stop
  }

  async function answered() {
    const reference = await submit({ email: 'ada@example.com' })
    await deliver(async () => '250 ok')
    await answer(reference, { key: crypto.randomUUID() })
    site.advanceClock(60_000)
    await deliver(async () => '250 ok')
    const { id } = await read(reference)
    const sent = (await rows()).find((row) => row.lead_id === id && row.kind === 'answer')
    return { reference, answers: sent?.message_id ?? '' }
  }
  /** A lead with an answer, and a mailbox that is watched. */
  const watched = async () => ({ stop: await startWatching(), ...(await answered()) })
  const email = (answers: string, id: string) =>
    `From: ada@example.com\r\nTo: site@agency.example\r\nSubject: Re\r\nMessage-ID: <${id}>\r\nIn-Reply-To: ${answers}\r\n\r\nText ${id}\r\n`
  const texts = async (reference: string) =>
    (await history(reference)).flatMap(({ what, text }) => (/reply|mail/.test(what) ? [text] : []))

  test('files are named with their sizes, even beyond what is read of a message', async () => {
    const { reference, answers } = await watched()
    const file = (headers: string, base64: string) =>
      `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`
    const [head, text] = email(answers, '1@x').split('\r\n\r\n')
    const parts = [
      `--b\r\nContent-Type: multipart/related; boundary=r\r\n\r\n--r\r\n\r\n${text}`,
      '--r\r\nContent-Type: image/png; name=logo.png\r\nContent-ID: <logo>\r\n\r\nx\r\n--r--\r\n',
      file('Content-Type: image/jpeg; name=roof.jpg', 'A'.repeat(2_000_000)),
      file("Content-Disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf", 'AAAA'),
      '--b--\r\n',
    ]
    server.deliver(`${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}`)
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    const replies = site.db.selectFrom('lead_events').select('received').where('what', '=', 'reply')
    const { received } = await replies.executeTakeFirstOrThrow()
    expect(JSON.parse(received ?? '').attachments).toEqual(['roof.jpg (1.5 MB)', 'Größe.pdf (1 kB)'])
  })

  test('emails that would take much memory or time are noticed, and the next one is read', async () => {
    const { reference, answers } = await watched()
    const hostile = [
      `Content-Type: text/html\r\n\r\n${'<h1>'.repeat(50_000)}`,
      // Lines, parts, a long header, and recipients.
      `\r\n${'\r\n'.repeat(100_000)}`,
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(20_000)}`,
      `X: ${'word\r\n '.repeat(100_000)}\r\n\r\nx`,
      `Cc: ${'a@b.example,\r\n '.repeat(40_000)}x@y.example\r\n\r\nx`,
    ]
    for (const [index, rest] of hostile.entries())
      server.deliver(`${email(answers, `${index}@x`).split('\r\n\r\n')[0]}\r\n${rest}`)
    server.deliver(email(answers, 'last@x'))
    await expect.poll(() => texts(reference), { timeout: 110_000 }).toHaveLength(hostile.length + 1)
    expect((await texts(reference)).at(-1)).toBe('Text last@x')
    // Trouble would put off the next one by a minute.
    expect(site.logLines.join()).not.toContain('the mailbox cannot be read')
  })

  test('a mailbox of another account is read from its end, even if its UIDVALIDITY is the same', async () => {
    const { reference, answers } = await answered()
    const stop = await startWatching()
    await stop()
    const noted = await readNote<{ of: string }>(site.db, 'mailbox_inbox')
    const note = { of: String(noted?.of).replace(/.*@/, 'other@'), uid: 1_000 }
    await writeNote(site.db, 'mailbox_inbox', note)
    watch()
    await expect.poll(() => readNote(site.db, 'mailbox_inbox')).not.toMatchObject(note)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
  })

  test('what was there before is not read, what comes while nobody watches is, and nothing twice', async () => {
    const { reference, answers } = await answered()
    server.deliver(email(answers, 'old@x'))
    const stop = await startWatching()
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    await stop()
    server.deliver(email(answers, '2@x'))
    server.deliver(email('<unknown@x>', 'other@x'))
    server.deliver(email(answers, '3@x'))
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x', 'Text 3@x'])
  })

  test('messages that the database cannot store are read again when it works, and stored once', async () => {
    const { reference, answers } = await watched()
    await site.db.schema.alterTable('lead_events').renameTo('gone').execute()
    server.deliver(email(answers, '1@x'))
    server.deliver(email(answers, '2@x'))
    await expect.poll(() => readTrouble(site.db)).not.toBeNull()
    await site.db.schema.alterTable('gone').renameTo('lead_events').execute()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
    expect(await readTrouble(site.db)).toBeNull()
  })

  test('after the server was replaced (a new UIDVALIDITY), nothing is missed or read twice', async () => {
    const { stop, reference, answers } = await watched()
    server.deliver(email('<unknown@x>', 'first@x'))
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    await stop()
    await server.stop()
    // The first message is gone, so that the next one gets a number that was used before.
    for (const file of globSync(join(server.maildir, '{dovecot*,*/*.M000001.*}'))) rmSync(file)
    server.deliver(email(answers, '2@x'))
    // Dovecot's UIDVALIDITY is the time in seconds.
    await sleep(1_000)
    await server.start()
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a server that ends by %s is noted once, and read on later',
    async (signal) => {
      const { reference, answers } = await watched()
      await server.stop(signal)
      await expect.poll(() => readTrouble(site.db)).toMatchObject({ since: site.clock.now.toISOString() })
      server.deliver(email(answers, '1@x'))
      await server.start()
      await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
      expect(await readTrouble(site.db)).toBeNull()
    },
  )

  test('if the folder of sent messages cannot be read, the inbox is, and that is noted once', async () => {
    const { stop, reference, answers } = await watched()
    await stop()
    chmodSync(join(server.maildir, '.Sent'), 0)
    const from = site.logLines.length
    watch()
    await expect.poll(() => readTrouble(site.db)).toMatchObject({ folder: 'sent' })
    // Longer than it takes to try again.
    await sleep(300)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    const lines = site.logLines.slice(from).filter((line) => line.includes('IMAP_URL'))
    expect(lines).toHaveLength(1)
    expect(await readTrouble(site.db)).toMatchObject({ folder: 'sent' })
  })

  test('a wrong password is noted without the password', async () => {
    watch(server.url.replace(/:[^:@]+@/, ':wrong-secret@'))
    await expect.poll(() => site.logLines.join()).toMatch(/The mail server refused the login/)
    expect(site.logLines.join()).not.toContain('wrong-secret')
  })
})
