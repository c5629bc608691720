import { describe, expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../database/storage-error.ts'
import { checkMailbox } from '../doctor/mailbox.ts'
import { Problem } from '../errors/problem.ts'
import { CUT, UNREADABLE } from '../leads/messages/message-text.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import type { Mischief, When } from '../proof/testing/hostile-imap.ts'
import { anna } from '../proof/testing/leads.ts'
import { email, fromOwner, useMailbox, withBody } from '../proof/testing/watched-mailbox.ts'
import { DEADLINES_MS, MAX_BYTES, MAX_FAILED_LISTS, MAX_TRIES, MAX_WAITING } from './limits.ts'
import { hasTriesLeft, setAside as noteAside, readSetAside } from './set-aside.ts'
import { readTrouble } from './trouble.ts'

const mixed = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
  const { server, between, inboxNote, passTime, setAside, texts, watch, watched } = useMailbox(site)

  test('emails that would take much memory or time are noticed, and the next one is read', async () => {
    const { reference, answers } = await watched()
    const nested = Array.from(
      { length: 30 },
      (_each, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    )
    const hostile = [
      `Content-Type: text/html\r\n\r\n${'<h1>'.repeat(50_000)}`,
      // Lines, parts, a long header, recipients, and parts within each other.
      `\r\n${'\r\n'.repeat(100_000)}`,
      `${mixed}${'--b\r\n\r\nx\r\n'.repeat(20_000)}`,
      `X: ${'word\r\n '.repeat(100_000)}\r\n\r\nx`,
      `Cc: ${'a@b.example,\r\n '.repeat(40_000)}x@y.example\r\n\r\nx`,
      `${nested.join('')}\r\nHello\r\n`,
    ]
    for (const [index, body] of hostile.entries()) server.deliver(withBody(answers, `${index}@x`, body))
    server.deliver(email(answers, 'last@x'))
    await expect.poll(() => texts(reference), { timeout: 110_000 }).toHaveLength(hostile.length + 1)
    expect((await texts(reference)).slice(-2)).toEqual([UNREADABLE, 'Text last@x'])
    // Trouble would put off the next one by a minute.
    expect(site.logLines.join()).not.toContain('the mailbox cannot be read')
  })

  test('whatever is repeated in it, the words of a message are read long before the deadline', async () => {
    const { read } = DEADLINES_MS
    onTestFinished(() => void Object.assign(DEADLINES_MS, { read }))
    // What takes time that is quadratic in the length takes three times as long.
    DEADLINES_MS.read = 5_000
    const { reference, answers } = await watched()
    const html = 'Content-Type: text/html\r\n'
    const report = `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\nHi\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n`
    const bodies = [
      ...[' ', '\n', 'x', '>*', '_', '<a@b'].map((unit) => `\r\nHi\r\n${unit.repeat(MAX_BYTES)}`),
      ...[' ', '<', '<!--', '<a b=c ', '&'].map((unit) => `${html}\r\nHi\r\n${unit.repeat(MAX_BYTES)}`),
      `${report}Action: ${' '.repeat(MAX_BYTES)}`,
    ]
    for (const [index, body] of bodies.entries()) server.deliver(withBody(answers, `${index}@x`, body))
    await expect.poll(() => texts(reference)).toHaveLength(bodies.length)
    expect((await texts(reference)).map((text) => text?.slice(0, 2))).toEqual(bodies.map(() => 'Hi'))
  })

  const mischiefs: Mischief[] = [
    ...(['answers NO', 'ends the connection', 'has an odd bracket in each row'] as const),
    ...(['says that a literal is shorter', 'leaves out what was asked for'] as const),
  ]
  const faults: [When, expected: 'text' | 'headers' | 'named', Mischief[]][] = [
    ['once', 'text', ['answers NO', 'ends the connection']],
    ['always', 'text', ['has an odd bracket in the list of parts']],
    ['beyond headers', 'headers', mischiefs],
    ['always', 'named', mischiefs],
  ]
  test('of each message that the server cannot show, there is what can be read, and the replies between are read', async () => {
    const { reference, answers, url, hostile } = await between()
    const all = faults.flatMap(([when, expected, mischiefs]) =>
      mischiefs.map((mischief) => ({ when, expected, mischief })),
    )
    const messages = all.map((each, index) => ({ ...each, uid: 2 * index + 1 }))
    for (const { uid, mischief, when } of messages) {
      hostile.set(uid, { mischief, when })
      server.deliver(email(answers, `${uid}@x`))
      server.deliver(email(answers, `reply-${uid}@x`))
    }
    watch(url)
    const replies = messages.map(({ uid }) => `Text reply-${uid}@x`)
    await expect.poll(() => texts(reference)).toEqual(expect.arrayContaining(replies))
    const named = messages.filter(({ expected }) => expected === 'named')
    const rest = messages.flatMap(({ uid, expected }) =>
      expected === 'named' ? [] : expected === 'text' ? `Text ${uid}@x` : UNREADABLE,
    )
    const isDone = async () => {
      passTime()
      const areGivenUp = !(await setAside()).some(hasTriesLeft)
      return areGivenUp && (await texts(reference)).length === replies.length + rest.length
    }
    await expect.poll(isDone).toBe(true)
    expect((await texts(reference)).toSorted()).toEqual([...replies, ...rest].toSorted())
    expect((await setAside()).toSorted((one, other) => one.uid - other.uid)).toMatchObject(
      named.map(({ uid }) => ({ uid, tries: MAX_TRIES })),
    )
    for (const { uid } of messages.filter(({ expected }) => expected !== 'text'))
      expect(site.logLines.join()).toMatch(new RegExp(`"uid":${uid},.*can(?:not)? be read`))
    expect(await readTrouble(site.db)).toBeNull()
  })

  test('if lists of files end the connection, each message has its text, and few are asked for', async () => {
    const { reference, answers, url } = await between()
    // The parts begin behind what is read of the message.
    const end = '--b\r\n\r\n\r\n'.repeat(6_000)
    // Others than in the message before, which would be a quotation.
    const lines = (id: string) => `${id.padEnd(78, 'x')}\r\n`.repeat(1_700)
    const ids = Array.from({ length: MAX_FAILED_LISTS + 3 }, (_each, index) => `${index}@x`)
    const long = (id: string) => withBody(answers, id, `${mixed}--b\r\n\r\nLong\r\n${lines(id)}${end}`)
    for (const id of ids) server.deliver(long(id))
    const pdf =
      '--b\r\n\r\nLast\r\n--b\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\nx\r\n--b--\r\n'
    server.deliver(withBody(answers, 'last@x', `${mixed}${pdf}`))
    watch(url)
    await expect.poll(() => texts(reference)).toContain('Last')
    const events = site.db.selectFrom('lead_events').select('received').orderBy('id', 'desc')
    expect((await events.executeTakeFirst())?.received).toContain('"a.pdf (1 kB)"')
    const read = await texts(reference)
    expect(read.filter((text) => text?.startsWith('Long') && text.endsWith(CUT))).toHaveLength(ids.length)
    expect(await setAside()).toEqual([])
    const failures = () => site.logLines.filter((line) => line.includes('its files are not named')).length
    expect(failures()).toBe(MAX_FAILED_LISTS)
    server.deliver(long('later@x'))
    await expect.poll(failures).toBe(MAX_FAILED_LISTS + 1)
    expect(site.logLines.join()).not.toContain('cannot be read yet')
  })

  test('however many messages cannot be read, the reply behind them is, and each is with its lead', async () => {
    const { reference, answers, url, hostile } = await between()
    watch(url)
    await expect.poll(inboxNote).toMatchObject({ uid: 0, settled: 0 })
    const { of = '' } = (await inboxNote()) ?? {}
    // They have been deleted since.
    for (let uid = 1_000; uid < 1_000 + MAX_WAITING - 3; uid++)
      await noteAside(site.db, { folder: 'inbox', of, now: site.clock.now, isLast: false }, { uid })
    const count = 8
    for (let uid = 1; uid <= count; uid++) {
      hostile.set(uid, { mischief: 'answers NO', when: 'beyond headers' })
      server.deliver(email(answers, `${uid}@x`))
    }
    server.deliver(email(answers, 'last@x'))
    await expect.poll(() => texts(reference)).toContain('Text last@x')
    expect(await readTrouble(site.db)).toBeNull()
    const unreadable = async () => {
      passTime()
      return (await texts(reference)).filter((text) => text === UNREADABLE).length
    }
    await expect.poll(unreadable).toBe(count)
    await expect.poll(setAside).toEqual([])
  })

  test('what was set aside is tried again after a restart, behind what is new, unless it is deleted', async () => {
    const { reference, answers, url, hostile } = await between()
    for (const uid of [1, 2]) {
      hostile.set(uid, { mischief: 'answers NO', when: 'always' })
      server.deliver(email(answers, `${uid}@x`))
    }
    server.deliver(fromOwner, 'Sent')
    const stop = watch(url)
    await expect.poll(setAside).toHaveLength(2)
    await expect.poll(() => readSetAside(site.db, 'sent')).toHaveLength(1)
    await stop()
    hostile.clear()
    server.remove(1)
    server.deliver(email(answers, '3@x'))
    // The clock was ahead when they were noted.
    site.advanceClock(-365 * 24 * 60 * 60_000)
    watch(url)
    await expect.poll(() => texts(reference)).toHaveLength(3)
    const inOrder = (await texts(reference)).filter((text) => text !== 'Can we start?')
    expect(inOrder).toEqual(['Text 3@x', 'Text 2@x'])
    await expect.poll(setAside).toEqual([])
  })

  test('what was read stays read if the server ends at the next message', async () => {
    const { url, hostile, answers } = await between()
    hostile.set(2, { mischief: 'says nothing', when: 'beyond headers' })
    for (const id of ['1@x', '2@x']) server.deliver(email(answers, id))
    const stop = watch(url)
    await expect.poll(inboxNote).toMatchObject({ uid: 1 })
    await stop()
    expect(await setAside()).toEqual([])
  })

  test('a message that cannot be stored is set aside, unless only the moment was bad; the next one is read', async () => {
    const { write } = site.context
    let failure: Error | undefined
    site.context.write = (work, names) => {
      const thrown = failure
      failure = undefined
      return thrown ? Promise.reject(thrown) : write(work, names)
    }
    const { reference, answers } = await watched()
    const failures = [
      new Problem('conflict', 'This lead has changed.'),
      new StorageUnavailable({ code: '40P01', message: 'deadlock detected' }),
      new Error('invalid byte sequence'),
    ]
    const expected: string[] = []
    for (const [index, thrown] of failures.entries()) {
      failure = thrown
      server.deliver(email(answers, `${index}@x`))
      if (index < 2) expected.push(`Text ${index}@x`)
      await expect.poll(() => texts(reference)).toEqual(expected)
      await expect.poll(setAside).toHaveLength(index < 2 ? 0 : 1)
    }
    server.deliver(email(answers, 'next@x'))
    await expect.poll(() => texts(reference)).toEqual([...expected, 'Text next@x'])
    expect(await setAside()).toMatchObject([{ uid: 3, tries: 1 }])
    passTime()
    await expect.poll(() => texts(reference)).toEqual([...expected, 'Text next@x', 'Text 2@x'])
  })

  test('a stored message that cannot be read when it is looked at again stays as it is', async () => {
    const { reference, answers, url, hostile } = await between()
    // The owner's email gets another number than the answer.
    server.deliver('From: news@example.org\r\n\r\nNews\r\n', 'Sent')
    watch(url)
    server.deliver(email(answers, '1@x'))
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    hostile.set(1, { mischief: 'answers NO', when: 'beyond headers' })
    server.deliver(fromOwner, 'Sent')
    await expect.poll(setAside).toHaveLength(1)
    const isDone = async () => {
      passTime()
      return (await setAside()).length
    }
    await expect.poll(isDone).toBe(0)
    expect(await texts(reference)).toEqual(['Text 1@x', 'Can we start?'])
  })

  test('a mailbox that shows nothing, or whose server ends, is in trouble since then, and read on later', async () => {
    const { reference, answers, state, url } = await between()
    state.refusesSearches = true
    watch(url, { lookEveryMs: 60 * 60_000 })
    await expect.poll(() => readTrouble(site.db)).toMatchObject({ folder: 'inbox' })
    const trouble = await readTrouble(site.db)
    passTime()
    const { refused } = state
    await expect.poll(() => state.refused).toBeGreaterThan(refused + 4)
    expect(await readTrouble(site.db)).toEqual(trouble)
    state.refusesSearches = false
    await expect.poll(() => readTrouble(site.db)).toBeNull()
    expect(site.logLines.join()).toContain('the mailbox can be read again')

    await server.stop()
    await expect.poll(() => readTrouble(site.db)).toMatchObject({ since: site.clock.now.toISOString() })
    server.deliver(email(answers, '1@x'))
    await server.start()
    await expect.poll(() => texts(reference)).toEqual(['Text 1@x'])
    await expect.poll(() => readTrouble(site.db)).toBeNull()
  })

  test('a wrong password is noted without the password', async () => {
    site.context.redact = (text) => text.replace(/(?<=refused the login: ).*/, '[secret]')
    watch(server.url.replace(/:[^:@]+@/, ':wrong-secret@'))
    await expect.poll(() => site.logLines.join()).toContain('The mail server refused the login: [secret]')
    expect(site.logLines.join()).not.toContain('wrong-secret')
  })

  test('doctor logs in to the mailbox, but to another machine only if the connection is encrypted', async () => {
    const { state, url } = await between()
    const check = async (imapUrl: string) => {
      const found = await checkMailbox(imapUrl)
      return found.map(({ state, seen, advice = '' }) => `${state}: ${seen} ${advice}`).join('\n')
    }
    expect(await check(url)).toMatch(
      /^ok: 127\.0\.0\.1:\d+ shows the mailbox. Folders that are read: INBOX; of sent messages: Sent/,
    )
    state.hidesSent = true
    expect(await check(url)).toMatch(/^warning: .* There is no folder of sent messages.*turn on IMAP/)
    const refused = await check(url.replace(/:[^:@]+@/, ':wrong-secret@'))
    expect(refused).toMatch(/^problem: .*refused the login.*Copy user and password again/)
    expect(refused).not.toContain('wrong-secret')
    // An address of this machine that doesn't look like one.
    expect(await check(server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'))).toMatch(
      /^problem: .*STARTTLS.*In IMAP_URL, write/,
    )
  })
})
