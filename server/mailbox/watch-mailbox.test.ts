import { chmodSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readNote, writeNote } from '../database/settings.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot, mailbox, startDovecot } from '../proof/testing/dovecot.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { readTrouble } from './trouble.ts'
import { createMailboxWatch } from './watch-mailbox.ts'

const WITHIN = { timeout: 5_000, interval: 20 }

describe.skipIf(!hasDovecot())('with a real IMAP server', { timeout: 60_000 }, () => {
  const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
  const { submit, read, history } = leadTools(site)
  const { answer } = answerTools(site)
  const { rows, deliver } = outboxTools(site)

  /** An IMAP server, and a function that starts to watch its mailbox and returns one that stops. */
  async function open() {
    const server = await startDovecot()
    onTestFinished(() => server[Symbol.asyncDispose]())
    function watch(imapUrl = server.url) {
      const stopping = new AbortController()
      const watching = createMailboxWatch({ ...site.context, imapUrl, onQueued() {}, retryAfterMs: 200 })
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
    /** Waits until both folders have been opened for the first time. */
    const notes = site.db
      .selectFrom('settings')
      .select('name')
      .where('name', 'in', ['mailbox_inbox', 'mailbox_sent'])
    const isWatched = () => expect.poll(() => notes.execute()).toHaveLength(2)
    return { server, watch, isWatched }
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
  async function watched() {
    const mailbox = await open()
    const stop = mailbox.watch()
    await mailbox.isWatched()
    return { ...mailbox, stop, ...(await answered()) }
  }
  const email = (
    answers: string,
    id: string,
    { from = 'ada@example.com', to = 'site@agency.example' } = {},
  ) =>
    `From: ${from}\r\nTo: ${to}\r\nSubject: Re\r\nMessage-ID: <${id}>\r\nIn-Reply-To: ${answers}\r\n\r\nText ${id}\r\n`
  const texts = async (reference: string) =>
    (await history(reference)).flatMap(({ what, text }) => (/reply|mail/.test(what) ? [text] : []))

  test('a reply and an answer from an email program are there within 5 s', async () => {
    const { server, reference, answers } = await watched()
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
    expect((await read(reference)).state).toBe('open')
    server.deliver(email(answers, '2@x', { from: anna, to: 'ada@example.com' }), 'Sent')
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x', 'Text 2@x'])
    expect((await read(reference)).state).toBe('answered')
  })

  test('files are named with their sizes, even beyond the part of a message that is read', async () => {
    const { server, reference, answers } = await watched()
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
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
    const { received } = await site.db
      .selectFrom('lead_events')
      .select('received')
      .where('what', '=', 'reply')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(received ?? '').attachments).toEqual(['roof.jpg (1.5 MB)', 'Größe.pdf (1 kB)'])
  })

  const hostile: [string, string][] = [
    ['HTML that takes much memory', `Content-Type: text/html\r\n\r\n${'<h1>'.repeat(250_000)}`],
    ['many lines', `\r\n${'\r\n'.repeat(500_000)}`],
    ['many parts', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(100_000)}`],
    ['a long header', `X: ${'word\r\n '.repeat(500_000)}\r\n\r\nx`],
    ['many recipients', `Cc: ${'a@b.example,\r\n '.repeat(200_000)}x@y.example\r\n\r\nx`],
  ]
  test.each(hostile)('an email with %s is noticed, and the next one is read', async (_name, rest) => {
    const { server, reference, answers } = await watched()
    const [head] = email(answers, '1@x').split('\r\n\r\n')
    server.deliver(`${head}\r\n${rest}`)
    server.deliver(email(answers, '2@x'))
    await expect.poll(() => texts(reference), { timeout: 30_000 }).toHaveLength(2)
    expect((await texts(reference))[1]).toBe('Text 2@x')
    expect(await readTrouble(site.db)).toBeNull()
  })

  test('a mailbox of another account is read from its end, even if its UIDVALIDITY is the same', async () => {
    const { reference, answers } = await answered()
    const { server, watch, isWatched } = await open()
    const stop = watch()
    await isWatched()
    await stop()
    const noted = await readNote<{ of: string }>(site.db, 'mailbox_inbox')
    const note = { of: String(noted?.of).replace(/.*@/, 'other@'), uid: 1_000 }
    await writeNote(site.db, 'mailbox_inbox', note)
    watch()
    await expect.poll(() => readNote(site.db, 'mailbox_inbox'), WITHIN).not.toMatchObject(note)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
  })

  test('what was there before is not read, what comes while nobody watches is, and nothing twice', async () => {
    const { reference, answers } = await answered()
    const { server, watch, isWatched } = await open()
    server.deliver(email(answers, 'old@x'))
    const stop = watch()
    await isWatched()
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
    await stop()
    server.deliver(email(answers, '2@x'))
    server.deliver(email('<unknown@x>', 'other@x'))
    server.deliver(email(answers, '3@x'))
    watch()
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x', 'Text 2@x', 'Text 3@x'])
  })

  test('after the server was replaced (a new UIDVALIDITY), nothing is missed or read twice', async () => {
    const { server, watch, stop, reference, answers } = await watched()
    server.deliver(email('<unknown@x>', 'first@x'))
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
    await stop()
    await server.stop()
    // The first message is gone, so that the next one gets a number that was used before.
    for (const file of globSync(join(server.mail, mailbox.user, '{dovecot*,*/*.M000001.*}')))
      rmSync(file, { force: true })
    server.deliver(email(answers, '2@x'))
    await server.start()
    watch()
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x', 'Text 2@x'])
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'a server that ends by %s is noted once, and read on later',
    async (signal) => {
      const { server, reference, answers } = await watched()
      await server.stop(signal)
      await expect
        .poll(() => readTrouble(site.db), WITHIN)
        .toMatchObject({ since: site.clock.now.toISOString() })
      server.deliver(email(answers, '1@x'))
      await server.start()
      await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
      expect(await readTrouble(site.db)).toBeNull()
    },
  )

  test('if the folder of sent messages cannot be read, the inbox is, and that is noted once', async () => {
    const { server, watch, stop, reference, answers } = await watched()
    await stop()
    chmodSync(join(server.mail, mailbox.user, '.Sent'), 0)
    const from = site.logLines.length
    watch()
    await expect.poll(() => readTrouble(site.db), WITHIN).toMatchObject({ folder: 'sent' })
    // Longer than it takes to try again.
    await sleep(1_000)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference), WITHIN).toEqual(['Text 1@x'])
    const lines = site.logLines.slice(from).filter((line) => line.includes('IMAP_URL'))
    expect(lines).toHaveLength(1)
    expect(await readTrouble(site.db)).toMatchObject({ folder: 'sent' })
  })

  test('a wrong password is noted without the password', async () => {
    const { server, watch } = await open()
    watch(server.url.replace(/:[^:@]+@/, ':wrong-secret@'))
    await expect.poll(() => site.logLines.join(), WITHIN).toMatch(/The mail server refused the login/)
    expect(site.logLines.join()).not.toContain('wrong-secret')
  })
})
