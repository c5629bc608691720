import { chmodSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readNote, writeNote } from '../database/settings.ts'
import { StorageUnavailable } from '../database/storage-error.ts'
import { CUT, UNREADABLE } from '../mail/message-text.ts'
import { Problem } from '../problem.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot, startDovecot } from '../proof/testing/dovecot.ts'
import { type Mischief, openHostileImap, type When } from '../proof/testing/hostile-imap.ts'
import { anna, answerTools, erase, leadTools } from '../proof/testing/leads.ts'
import { bounceOf } from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { waitUntil } from '../proof/testing/wait-until.ts'
import { MAX_FAILED_LISTS, MAX_TRIES, MAX_WAITING, PAUSES_MS } from './limits.ts'
import { readSetAside, setAside } from './set-aside.ts'
import { readTrouble, writeTrouble } from './trouble.ts'
import { createMailboxWatch } from './watch-mailbox.ts'

const MINUTE_MS = 60_000

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
  function watch(imapUrl = server.url, lookEveryMs = 300) {
    const stopping = new AbortController()
    const timing = { gatherMs: 10, retryAfterMs: 50, lookEveryMs }
    const watching = createMailboxWatch({ ...site.context, imapUrl, onQueued() {}, timing })
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
  async function startWatching(imapUrl = server.url) {
    const stop = watch(imapUrl)
    const settings = site.db.selectFrom('settings').select('name')
    const notes = settings.where('name', 'in', ['mailbox_inbox', 'mailbox_sent'])
    await expect.poll(() => notes.execute()).toHaveLength(2)
    return stop
  }

  /** As if both folders had been watched before, so that whatever is in them is read. */
  async function noteWatched() {
    for (const folder of ['inbox', 'sent'])
      await writeNote(site.db, `mailbox_${folder}`, { of: 'an earlier mailbox', uid: 0 })
  }

  async function answered() {
    const reference = await submit({ email: 'ada@example.com' })
    await deliver(async () => '250 ok')
    await answer(reference, { key: crypto.randomUUID() })
    site.advanceClock(MINUTE_MS)
    await deliver(async () => '250 ok')
    const { id } = await read(reference)
    const sent = (await rows()).find((row) => row.lead_id === id && row.kind === 'answer')
    return { reference, answers: sent?.message_id ?? '' }
  }
  /** A lead with an answer, and a mailbox that is watched. */
  const watched = async () => ({ stop: await startWatching(), ...(await answered()) })
  /** A lead with an answer, and a server between that can do something wrong. Nobody watches yet. */
  async function between() {
    const imap = await openHostileImap(server.url)
    onTestFinished(() => imap[Symbol.asyncDispose]())
    await noteWatched()
    return { ...(await answered()), ...imap }
  }
  /** The same, with something wrong with the first message that comes to the mailbox, which is watched. */
  async function hostile(mischief: Mischief, when: When) {
    const tools = await between()
    tools.hostile.set(1, { mischief, when })
    return { ...tools, stop: watch(tools.url) }
  }
  /** Lets the time pass until what was set aside is tried again. */
  const passTime = () => site.advanceClock(Math.max(...PAUSES_MS))
  /** Lets this time pass while both folders are looked through again and again. */
  async function pass(milliseconds: number) {
    const uid = async () => (await readNote<{ uid: number }>(site.db, 'mailbox_inbox'))?.uid ?? 0
    for (let round = 0; round < 3; round++) {
      const before = await uid()
      server.deliver('From: news@example.org\r\nMessage-ID: <news@x>\r\n\r\nNews\r\n')
      await expect.poll(uid).toBeGreaterThan(before)
      site.advanceClock(milliseconds / 3)
    }
  }
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

  test('text behind a photo is said to be in the mailbox, a photo or PDF behind the text is not', async () => {
    const { reference, answers } = await watched()
    const photo = `Content-Type: image/jpeg; name=roof.jpg\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n${'A'.repeat(76).concat('\r\n').repeat(4_000)}`
    const pdf = photo.replace('image/jpeg; name=roof.jpg', 'application/pdf; name=plan.pdf')
    const words = (id: string) => `Content-Type: text/plain\r\n\r\nText ${id}\r\n`
    const deliver = (id: string, ...parts: string[]) => {
      const [head] = email(answers, id).split('\r\n\r\n')
      const body = parts.map((part) => `--b\r\n${part}`).join('')
      server.deliver(`${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`)
    }
    deliver('1@x', words('1@x'), photo)
    deliver('2@x', words('2@x'), pdf, photo)
    deliver('3@x', words('3@x'), photo, words('below'))
    deliver('4@x', photo, words('below'))
    const expected = ['Text 1@x', 'Text 2@x', `Text 3@x\n\n${CUT}`, UNREADABLE]
    await expect.poll(() => texts(reference), { timeout: 10_000 }).toEqual(expected)
  })

  test('what came before its sender was erased is not stored again if the mailbox is read again', async () => {
    const { stop, reference, answers } = await watched()
    const fromEve = (id: string) => email(answers, id).replace('ada@', 'eve@')
    server.deliver(fromEve('1@x'), 'INBOX', new Date(Date.now() - MINUTE_MS))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    // The server notes the time in whole seconds.
    site.clock.now = new Date(Date.now() - 2_000)
    await erase(site, 'eve@example.com')
    server.deliver(fromEve('2@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 2@x'])
    await stop()
    const mark = await readNote<object>(site.db, 'mailbox_inbox')
    await writeNote(site.db, 'mailbox_inbox', { ...mark, uid: 0 })
    watch()
    server.deliver(email(answers, '3@x'))
    await expect.poll(() => texts(reference)).toContain('Text 3@x')
    expect(await texts(reference)).toEqual(['Text 2@x', 'Text 3@x'])
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

  const faults: [When, expected: 'text' | 'headers' | 'named', Mischief[]][] = [
    ['once', 'text', ['answers NO', 'ends the connection']],
    ['always', 'text', ['has an odd bracket in the list of parts']],
    [
      'beyond headers',
      'headers',
      [
        'answers NO',
        'ends the connection',
        'has an odd bracket in each row',
        'says that a literal is shorter',
        'leaves out what was asked for',
      ],
    ],
    [
      'always',
      'named',
      [
        'answers NO',
        'ends the connection',
        'has an odd bracket in each row',
        'says that a literal is shorter',
        'leaves out what was asked for',
      ],
    ],
  ]
  test.each(faults)(
    'messages for which the server does something wrong %s: of each, there is the %s, and the replies between are read',
    async (when, expected, mischiefs) => {
      const { reference, answers, url, hostile: messages } = await between()
      const uids = mischiefs.map((_mischief, index) => 2 * index + 1)
      for (const [index, mischief] of mischiefs.entries()) messages.set(2 * index + 1, { mischief, when })
      for (const uid of uids) {
        server.deliver(email(answers, `${uid}@x`))
        server.deliver(email(answers, `reply-${uid}@x`))
      }
      watch(url)
      const replies = uids.map((uid) => `Text reply-${uid}@x`)
      await expect.poll(() => texts(reference)).toEqual(expect.arrayContaining(replies))
      const count = uids.length * (expected === 'named' ? 1 : 2)
      const namedOnes = async () =>
        (await readSetAside(site.db, 'inbox')).filter(({ dueAt }) => dueAt === null)
      const isDone = async () => {
        passTime()
        return (
          (await texts(reference)).length === count &&
          (await readSetAside(site.db, 'inbox')).every(({ dueAt }) => dueAt === null)
        )
      }
      await expect.poll(isDone).toBe(true)
      const rest = {
        text: uids.map((uid) => `Text ${uid}@x`),
        headers: uids.map(() => UNREADABLE),
        named: [],
      }
      expect((await texts(reference)).toSorted()).toEqual([...replies, ...rest[expected]].toSorted())
      const named = expected === 'named' ? uids.map((uid) => ({ uid, tries: MAX_TRIES, dueAt: null })) : []
      expect((await namedOnes()).toSorted((one, other) => one.uid - other.uid)).toMatchObject(named)
      for (const uid of expected === 'text' ? [] : uids)
        expect(site.logLines.join()).toMatch(new RegExp(`"uid":${uid},.*can(?:not)? be read`))
      expect(await readTrouble(site.db)).toBeNull()
    },
  )

  test('a message that is fetched but cannot be decoded is with its lead at once, without its text', async () => {
    const { reference, answers } = await watched()
    const levels = Array.from({ length: 30 }, (_each, level) => level)
    const nested = levels.map(
      (level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    )
    server.deliver(`${email(answers, '1@x').split('\r\n\r\n')[0]}\r\n${nested.join('')}\r\nHello\r\n`)
    server.deliver(email(answers, '2@x'))
    await expect.poll(() => texts(reference)).toEqual([UNREADABLE, 'Text 2@x'])
  })

  test('if lists of files end the connection, each message has its text, and few are asked for', async () => {
    const { reference, answers } = await watched()
    // The parts begin behind what is read of the message.
    const parts = `--b\r\n\r\nLong\r\n${'x'.repeat(78).concat('\r\n').repeat(1_700)}${'--b\r\n\r\n\r\n'.repeat(6_000)}`
    const ids = Array.from({ length: MAX_FAILED_LISTS + 3 }, (_each, index) => `${index}@x`)
    for (const id of ids) {
      const [head] = email(answers, id).split('\r\n\r\n')
      server.deliver(`${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`)
    }
    server.deliver(email(answers, 'last@x'))
    await expect.poll(() => texts(reference), { timeout: 20_000 }).toContain('Text last@x')
    const read = await texts(reference)
    expect(read.filter((text) => text?.startsWith('Long'))).toHaveLength(ids.length)
    expect(await readSetAside(site.db, 'inbox')).toEqual([])
    const failures = site.logLines.filter((line) => line.includes('its files are not named'))
    expect(failures).toHaveLength(MAX_FAILED_LISTS)
    expect(site.logLines.join()).not.toContain('cannot be read yet')
  })

  test('however many messages cannot be read, the reply behind them is, and each is with its lead', async () => {
    const { reference, answers, url, hostile: messages } = await between()
    const stop = await startWatching(url)
    await expect.poll(() => readNote(site.db, 'mailbox_inbox')).toMatchObject({ uid: 0, settled: 0 })
    await stop()
    const { of = '' } = (await readNote<{ of: string }>(site.db, 'mailbox_inbox')) ?? {}
    // They have been deleted since.
    for (let uid = 1_000; uid < 1_000 + MAX_WAITING - 3; uid++)
      await setAside(site.db, { folder: 'inbox', of, now: site.clock.now }, { uid })
    const count = 8
    for (let uid = 1; uid <= count; uid++) {
      messages.set(uid, { mischief: 'answers NO', when: 'beyond headers' })
      server.deliver(email(answers, `${uid}@x`))
    }
    server.deliver(email(answers, 'last@x'))
    watch(url)
    await expect.poll(() => texts(reference)).toContain('Text last@x')
    expect(await readTrouble(site.db)).toBeNull()
    const isDone = async () => {
      passTime()
      return (await texts(reference)).filter((text) => text === UNREADABLE).length
    }
    await expect.poll(isDone).toBe(count)
    await expect.poll(() => readSetAside(site.db, 'inbox')).toEqual([])
  })

  test('a new message is read before others are tried again', async () => {
    const { reference, answers, stop, url, hostile: messages } = await hostile('answers NO', 'always')
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => readSetAside(site.db, 'inbox')).toHaveLength(1)
    await stop()
    messages.clear()
    server.deliver(email(answers, '2@x'))
    passTime()
    watch(url)
    await expect.poll(() => texts(reference)).toEqual(['Text 2@x', 'Text 1@x'])
  })

  test('what answers none of our emails is not fetched from a stranger', async () => {
    const { reference, answers } = await hostile('answers NO', 'beyond headers')
    const stranger = 'From: stranger@example.com\r\nMessage-ID: <1@x>\r\nIn-Reply-To: <unknown@x>'
    server.deliver(`${stranger}\r\n\r\nHello\r\n`)
    server.deliver(email(answers, '2@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 2@x'])
    expect(await readSetAside(site.db, 'inbox')).toEqual([])
  })

  test('what answers a message that came with it is fetched', async () => {
    const { reference, answers } = await answered()
    await noteWatched()
    const from = (id: string, answer: string) =>
      email(answer, id).replace('ada@example.com', 'ada@work.example')
    server.deliver(from('1@x', answers))
    server.deliver(from('2@x', '<1@x>'))
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
  })

  test('a mailbox without a folder of sent messages is in no trouble because of it', async () => {
    const { state, url } = await between()
    await writeTrouble(site.db, { folder: 'sent', since: site.clock.now.toISOString() })
    state.hidesSent = true
    watch(url)
    await expect.poll(() => readTrouble(site.db)).toBeNull()
  })

  test('what is in a folder of sent messages counts, although the folder was missing at first', async () => {
    const { state, url, reference } = await between()
    await site.db.deleteFrom('settings').where('name', '=', 'mailbox_sent').execute()
    state.hidesSent = true
    watch(url)
    await expect.poll(() => readNote(site.db, 'mailbox_sent')).toEqual({ of: '', uid: 0 })
    const headers = `From: ${anna}\r\nTo: ada@example.com\r\nMessage-ID: <first@agency.example>`
    server.deliver(`${headers}\r\n\r\nCan we start?\r\n`, 'Sent')
    state.hidesSent = false
    await expect.poll(() => texts(reference), { timeout: 20_000 }).toEqual(['Can we start?'])
  })

  test('a message that is tried again was not forgotten by a restart, and is dropped once it is deleted', async () => {
    const { stop, url, hostile: messages } = await hostile('answers NO', 'always')
    server.deliver(email('<any@x>', '1@x'))
    const asideOf = () => readSetAside(site.db, 'inbox')
    await expect.poll(asideOf).toMatchObject([{ uid: 1, tries: 1 }])
    await stop()
    const stopAgain = watch(url)
    passTime()
    await expect.poll(asideOf).toMatchObject([{ uid: 1, tries: 2 }])
    await stopAgain()
    for (const file of globSync(join(server.maildir, '*/*.M000001.*'))) rmSync(file)
    messages.clear()
    watch(url)
    passTime()
    await expect.poll(asideOf).toEqual([])
  })

  test('what was read stays read if the server ends at the next message', async () => {
    const { url, hostile: messages, answers } = await between()
    messages.set(2, { mischief: 'says nothing', when: 'beyond headers' })
    for (const id of ['1@x', '2@x']) server.deliver(email(answers, id))
    const stop = watch(url)
    await expect.poll(() => readNote(site.db, 'mailbox_inbox')).toMatchObject({ uid: 1 })
    await stop()
    expect(await readSetAside(site.db, 'inbox')).toEqual([])
  })

  test('a message that cannot be stored is set aside, and the next one is read', async () => {
    const { reference, answers } = await answered()
    const { write } = site.context
    let stored = 0
    site.context.write = (work, names) =>
      ++stored === 1 ? Promise.reject(new Error('invalid byte sequence')) : write(work, names)
    await startWatching()
    for (const id of ['1@x', '2@x']) server.deliver(email(answers, id))
    await expect.poll(() => texts(reference)).toEqual(['Text 2@x'])
    expect(await readSetAside(site.db, 'inbox')).toMatchObject([
      { uid: 1, tries: 1, from: 'ada@example.com' },
    ])
    passTime()
    await expect.poll(() => texts(reference)).toEqual(['Text 2@x', 'Text 1@x'])
  })

  const passing: [string, Error][] = [
    ['the lead has changed meanwhile', new Problem('conflict', 'This lead has changed.')],
    ['of a deadlock', new StorageUnavailable({ code: '40P01', message: 'deadlock detected' })],
  ]
  test.each(passing)('a message that cannot be stored because %s is not to blame', async (_what, error) => {
    const { reference, answers } = await answered()
    const { write } = site.context
    let stored = 0
    site.context.write = (work, names) => (++stored === 1 ? Promise.reject(error) : write(work, names))
    await startWatching()
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    expect(site.logLines.join()).not.toContain('cannot be read yet')
  })

  test('a mailbox that opens but shows nothing is in trouble since it first failed', async () => {
    const { state } = await hostile('answers NO', 'always')
    state.refusesSearches = true
    await expect.poll(() => readTrouble(site.db)).toMatchObject({ folder: 'inbox' })
    const trouble = await readTrouble(site.db)
    passTime()
    const { refused } = state
    await expect.poll(() => state.refused).toBeGreaterThan(refused + 4)
    expect(await readTrouble(site.db)).toEqual(trouble)
    state.refusesSearches = false
    await expect.poll(() => readTrouble(site.db)).toBeNull()
  })

  test('the messages whose bodies are fetched: replies, reports, and new ones from or to people with a lead', async () => {
    const { reference, answers } = await watched()
    const read = vi.spyOn(PostalMime, 'parse')
    const headers: [headers: string, isInSent?: boolean][] = [
      ['From: Ada <ADA@example.com>\r\nMessage-ID: <fresh@x>'],
      ['From: stranger@example.com\r\nMessage-ID: <stranger@x>'],
      [`From: ${anna}\r\nTo: ada@example.com\r\nMessage-ID: <sent@x>`, true],
      [`From: ${anna}\r\nTo: stranger@example.com\r\nMessage-ID: <private@x>`, true],
    ]
    for (const [head, isInSent] of headers)
      server.deliver(
        `${head}\r\nSubject: Hi\r\n\r\nText ${/<.*@x/.exec(head)}\r\n`,
        isInSent ? 'Sent' : 'INBOX',
      )
    server.deliver(email(answers, 'last@x'))
    await expect
      .poll(async () => (await texts(reference)).toSorted())
      .toEqual(['Text <fresh@x', 'Text <sent@x', 'Text last@x'])
    // Whatever costs time happens in another thread.
    expect(read).not.toHaveBeenCalled()
  })

  test('a report by a mail server is fetched, although it names nothing in its headers', async () => {
    const { reference, answers } = await watched()
    const head = 'From: MAILER-DAEMON@mx.example.com\r\nReturn-Path: <>\r\nMessage-ID: <report@x>\r\n'
    server.deliver(head + bounceOf(answers).replaceAll('\n', '\r\n'))
    await expect.poll(async () => (await read(reference)).state).toBe('open')
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

  test("what owners have sent is read first, so that the visitor's answer to it finds its lead", async () => {
    const { reference } = await answered()
    await noteWatched()
    const sent = '<new@agency.example>'
    const fields = `From: ${anna}\r\nTo: ada@example.com\r\nSubject: New\r\nMessage-ID: ${sent}`
    for (let other = 0; other < 60; other++)
      server.deliver(email('<any@x>', `${other}@other`).replace(/To: .*/, 'To: somebody@example.com'), 'Sent')
    server.deliver(`${fields}\r\n\r\nCan we start?\r\n`, 'Sent')
    server.deliver(email(sent, '1@x'))
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Can we start?', 'Text 1@x'])
    expect((await read(reference)).state).toBe('open')
  })

  const sentId = '<new@agency.example>'
  const fromOwner = `From: ${anna}\r\nTo: ada@example.com\r\nSubject: New\r\nMessage-ID: ${sentId}\r\n\r\nCan we start?\r\n`
  const report = `From: MAILER-DAEMON@mx.example.com\r\nMessage-ID: <report@x>\r\n${bounceOf(sentId).replaceAll('\n', '\r\n')}`
  const kinds = async (reference: string) =>
    (await history(reference)).flatMap(({ what }) => (/reply|mail|failed/.test(what) ? [what] : []))

  test.each([
    ['an answer', email(sentId, '1@x'), 'reply'],
    ['a report', report, 'answer_failed'],
  ])(
    "%s that comes before the owner's email is shown belongs to its lead after all",
    async (_what, message, kind) => {
      const { reference, hostile: messages } = await hostile('answers NO', 'always')
      messages.clear()
      // The first one in the other folder can be read.
      messages.set(2, { mischief: 'answers NO', when: 'always' })
      server.deliver(message)
      server.deliver(email('<unknown@x>', 'hostile@x'))
      // Less than the first pause.
      await pass(1_000)
      expect(await kinds(reference)).toEqual([])
      server.deliver(fromOwner, 'Sent')
      await expect.poll(() => kinds(reference)).toEqual(['answered_by_mail', kind])
      // What cannot be read keeps its pauses.
      expect(await readSetAside(site.db, 'inbox')).toMatchObject([{ uid: 2, tries: 1 }])
    },
  )

  test.each([
    ['for hours', ['answered_by_mail', 'reply'], true],
    ['not at all', ['answered_by_mail'], false],
  ])(
    'an answer waits while the folder of sent messages cannot be read: %s',
    async (_what, expected, isBroken) => {
      const { reference } = await answered()
      await noteWatched()
      const folder = join(server.maildir, '.Sent')
      server.deliver('From: news@example.org\r\n\r\nNews\r\n', 'Sent')
      if (isBroken) chmodSync(folder, 0)
      watch()
      server.deliver(email(sentId, '1@x'))
      await pass(3 * 60 * MINUTE_MS)
      await pass(3 * 60 * MINUTE_MS)
      server.deliver(fromOwner, 'Sent')
      chmodSync(folder, 0o755)
      await expect.poll(() => kinds(reference)).toContain('answered_by_mail')
      await pass(MINUTE_MS)
      expect(await kinds(reference)).toEqual(expected)
    },
  )

  test.each([
    ['that was read before', 'hello@127.0.0.1 Sent 1', ['answered_by_mail', 'reply']],
    ['that was never there', '', ['answered_by_mail']],
  ])('an answer waits for hours for a folder of sent messages %s', async (_what, of, expected) => {
    const { reference, state, url } = await between()
    await writeNote(site.db, 'mailbox_sent', { of, uid: 0 })
    state.hidesSent = true
    watch(url)
    server.deliver(email(sentId, '1@x'))
    for (let times = 0; times < 3; times++) {
      await pass(60 * MINUTE_MS)
      // It's looked for in between.
      await setTimeout(700)
    }
    server.deliver(fromOwner, 'Sent')
    state.hidesSent = false
    await expect.poll(() => kinds(reference)).toContain('answered_by_mail')
    await pass(MINUTE_MS)
    expect(await kinds(reference)).toEqual(expected)
  })

  test('a stored message that cannot be read when it is looked at again stays as it is', async () => {
    const { reference, answers, url, hostile: messages } = await between()
    // The owner's email gets another number than the answer.
    server.deliver('From: news@example.org\r\n\r\nNews\r\n', 'Sent')
    watch(url)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    messages.set(1, { mischief: 'answers NO', when: 'beyond headers' })
    server.deliver(fromOwner, 'Sent')
    await expect.poll(() => readSetAside(site.db, 'inbox')).toHaveLength(1)
    const isDone = async () => {
      passTime()
      return (await readSetAside(site.db, 'inbox')).length
    }
    await expect.poll(isDone).toBe(0)
    expect(await texts(reference)).toEqual(['Text 1@x', 'Can we start?'])
  })

  test('messages that the database cannot store are read again when it works, and stored once', async () => {
    const { reference, answers } = await watched()
    await site.db.schema.alterTable('lead_events').renameTo('gone').execute()
    server.deliver(email(answers, '1@x'))
    server.deliver(email(answers, '2@x'))
    await expect.poll(() => readTrouble(site.db)).not.toBeNull()
    await site.db.schema.alterTable('gone').renameTo('lead_events').execute()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
    await expect.poll(() => readTrouble(site.db)).toBeNull()
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
    const { of = '' } = (await readNote<{ of: string }>(site.db, 'mailbox_inbox')) ?? {}
    await setAside(site.db, { folder: 'inbox', of, now: site.clock.now }, { uid: 1 })
    // Dovecot's UIDVALIDITY is the time in seconds.
    await waitUntil('the next second', () => Date.now() >= 1_000 * (Number(of.split(' ').at(-1)) + 1))
    await server.start()
    watch()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x', 'Text 2@x'])
    expect(await readSetAside(site.db, 'inbox')).toEqual([])
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
      await expect.poll(() => readTrouble(site.db)).toBeNull()
    },
  )

  test('if the folder of sent messages cannot be read, the inbox is, and that is noted once', async () => {
    const { stop, reference, answers } = await watched()
    await stop()
    chmodSync(join(server.maildir, '.Sent'), 0)
    const from = site.logLines.length
    watch()
    await expect.poll(() => readTrouble(site.db)).toMatchObject({ folder: 'sent' })
    await pass(MINUTE_MS)
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
