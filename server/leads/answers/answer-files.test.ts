import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createSmtpMailer } from '../../mail/mailer.ts'
import type { Deliver } from '../../outbox/attempt.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { openInbox, smtpError } from '../../proof/testing/inbox.ts'
import { anna, answerTools, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { deliverToFiles, outboxTools, writeEmailOf } from '../../proof/testing/outbox.ts'
import { readLeadDetail } from '../lists/read-lead.ts'
import { readStoredFile, removeFile } from './files.ts'

const MINUTE_MS = 60_000
const site = useTestApp({ mailTo: [anna, bob] })
const { submit, read, history, drafts } = leadTools(site)
const { deliver } = outboxTools(site)
const { answer, undo, ...tools } = answerTools(site)

let reference: string
beforeEach(async () => {
  reference = await submit()
  await site.db.deleteFrom('outbox').execute()
})

const attach = (name: string, bytes: Buffer, owner = anna) => {
  // Files are in the order of their upload.
  site.advanceClock(1)
  return tools.attach(reference, name, bytes, owner)
}
const attached = async (owner = anna) => {
  const lead = await readLeadDetail(site.db, { reference, owner, now: site.clock.now })
  return lead?.attached.map(({ name }) => name)
}
const remove = (id: string) => removeFile(site.inboxDeps, { reference, who: anna, id })
const answers = () =>
  site.db.selectFrom('lead_events').select(['lead_id', 'files']).where('what', '=', 'answer').execute()
/** The bytes of a file of the first answer, as they are stored. */
async function stored(index: number) {
  const [event] = await answers()
  const leadId = event?.lead_id ?? ''
  const sent = JSON.parse(event?.files ?? '[]')[index]
  const file = sent && (await readStoredFile(site.db, leadId, sent))
  return file && { name: file.name, bytes: await buffer(file.bytes) }
}
const afterUndo = () => site.advanceClock(MINUTE_MS)

/** Sends emails to an SMTP server that behaves like this. */
async function sendTo(behavior: Parameters<typeof openInbox>[0]): Promise<Deliver> {
  const smtp = await openInbox(behavior)
  const mailer = createSmtpMailer(smtp.url)
  onTestFinished(async () => {
    mailer.close()
    await smtp.close()
  })
  const write = writeEmailOf(site)
  return async (email, signal) => {
    const written = await write(email)
    return typeof written === 'string' ? { unsent: written } : mailer.send(written, signal)
  }
}

test('an answer arrives with its files, byte for byte, and each attempt sends the same email; the copy names them', async () => {
  const refusals = [true, false, false]
  const received: Buffer[] = []
  const send = await sendTo({
    onData: (stream, _session, done) =>
      void buffer(stream).then((bytes) => {
        received.push(bytes)
        done(refusals.shift() ? smtpError(451, 'later') : null)
      }),
  })
  const [plan, photo] = [randomBytes(700_000), Buffer.from('\r\n.\r\nFrom \0\xff\n', 'latin1')]
  const files = [await attach('Größe 日本 “1”.pdf', plan), await attach('b.png', photo)]
  await attach('not sent.txt', photo)
  await answer(reference, { files })
  expect(await attached()).toEqual(['not sent.txt'])
  for (const _attempt of [1, 2]) {
    site.advanceClock(10 * MINUTE_MS)
    await deliver(send)
  }

  const emails = await Promise.all(received.map((bytes) => PostalMime.parse(bytes)))
  const sent = received.filter((_bytes, index) => emails[index]?.to?.[0]?.address !== anna)
  expect(sent).toHaveLength(2)
  expect(sent[0]?.equals(sent[1] ?? Buffer.alloc(0))).toBe(true)
  const { attachments } = await PostalMime.parse(sent[0] ?? '')
  expect(attachments).toMatchObject([
    { filename: 'Größe 日本 “1”.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
    { filename: 'b.png', mimeType: 'image/png' },
  ])
  for (const [index, bytes] of [plan, photo].entries())
    expect(Buffer.from(attachments[index]?.content as ArrayBuffer).equals(bytes)).toBe(true)
  const copy = emails.find(({ to }) => to?.[0]?.address === anna)
  expect(copy?.text).toContain('Files: Größe 日本 “1”.pdf (700 kB), b.png (1 kB)')
  expect(copy?.attachments).toEqual([])
  expect((await stored(0))?.bytes.equals(plan)).toBe(true)
  expect(await stored(1)).toEqual({ name: 'b.png', bytes: photo })
  expect(await stored(2)).toBeUndefined()
})

test('an answer with files is sent at once by a mail server that ends each connection after an email', async () => {
  const used = new Set<string>()
  const send = await sendTo({
    onMailFrom: (_address, { id }, done) => {
      done(used.has(id) ? smtpError(421, '4.7.0 One email per connection') : null)
      used.add(id)
    },
  })
  for (const key of [randomUUID(), randomUUID()])
    await answer(reference, { key, files: [await attach('plan.pdf', randomBytes(300_000))] })
  await site.db.deleteFrom('outbox').where('kind', '=', 'answer_copy').execute()
  afterUndo()
  await deliver(send)

  const emails = await site.db.selectFrom('outbox').select(['state', 'attempts']).execute()
  expect(emails).toEqual(Array(2).fill({ state: 'sent', attempts: 1 }))
})

test('without a mail server, the .eml file has the files', async () => {
  await answer(reference, { files: [await attach('a.png', randomBytes(100))] })
  afterUndo()
  await deliverToFiles(site)

  const folder = join(site.dataDir, 'mail')
  const name = readdirSync(folder).find((file) => file.includes('answer')) ?? ''
  expect((await PostalMime.parse(readFileSync(join(folder, name)))).attachments).toMatchObject([
    { filename: 'a.png' },
  ])
})

test('an answer with other files is another answer, and one whose files are gone is not sent', async () => {
  const [one, two] = [await attach('1', Buffer.from('1')), await attach('2', Buffer.from('2'))]
  const bobs = await attach('3', Buffer.from('3'), bob)
  const version = 0
  for (const files of [[randomUUID()], [one, bobs]])
    await expect(answer(reference, { version, files })).rejects.toMatchObject({ code: 'conflict' })
  expect(await history(reference)).toEqual([])

  const first = await answer(reference, { version, files: [two, one, two] })
  expect(await answer(reference, { version, files: [two, one] })).toEqual(first)
  for (const files of [[one, two], [two], undefined])
    await expect(answer(reference, { version, files })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
  expect(JSON.parse((await answers())[0]?.files ?? '')).toEqual([
    { id: two, name: '2', size: 1 },
    { id: one, name: '1', size: 1 },
  ])
})

test('an undo gives the files back; a removed one is then gone from the answer, too', async () => {
  const id = await attach('1', Buffer.from('1'))
  await answer(reference, { files: [id, await attach('2', Buffer.from('2'))] })
  expect(await attached()).toEqual([])

  await undo(reference)
  await removeFile(site.inboxDeps, { reference, who: bob, id })
  expect(await attached()).toEqual(['1', '2'])
  expect((await stored(0))?.name).toBe('1')
  await remove(id)
  expect([await attached(), await stored(0)]).toEqual([['2'], undefined])
  expect(await attached(bob)).toEqual([])
})

test('an undo gives back no file of another answer', async () => {
  await answer(reference, { key: randomUUID(), files: [await attach('sent', Buffer.from('1'))] })
  await answer(reference, { files: [await attach('undone', Buffer.from('2'))] })

  await undo(reference)

  expect(await attached()).toEqual(['undone'])
})

test('a failed answer gives the files back; one that is then removed still opens from the history', async () => {
  const id = await attach('1', Buffer.from('1'))
  await answer(reference, { files: [id, await attach('2', Buffer.from('2'))] })
  afterUndo()
  await deliver(refuse('550 5.1.1 no such user'))
  expect([await attached(), await drafts()]).toEqual([['1', '2'], [{ owner: anna, text: 'Yes, we can.' }]])

  await remove(id)
  expect(await attached()).toEqual(['2'])
  expect((await stored(0))?.name).toBe('1')
  const again = await site.db.selectFrom('files').select('id').where('in_draft', '=', 1).execute()
  await answer(reference, { key: randomUUID(), files: again.map((file) => file.id) })
  expect([await attached(), (await answers()).length]).toEqual([[], 2])
})

test.each([
  ['552 5.3.4 Message size exceeds fixed limit', 'its files are too large'],
  ['552 5.7.0 content presents a potential security issue', 'does not accept files like these'],
  ['554 5.7.0 Reject, id=12-01 - BANNED: .zip,.exe,setup.exe', 'does not accept files like these'],
])('if the mail server says %j, the answer comes back at once and says why', async (response, words) => {
  await answer(reference, { files: [await attach('1', Buffer.from('1'))] })
  afterUndo()
  await deliver(refuse(response))

  const lead = await read(reference)
  expect([lead.state, await attached()]).toEqual(['open', ['1']])
  expect(lead.trouble).toContain(words)
  expect(lead.trouble).toContain(response)
})

test('a mail server that announces that it accepts less gives the answer back without being sent the files', async () => {
  await answer(reference, { files: [await attach('1', Buffer.alloc(800_000))] })
  afterUndo()
  // In an email, a file is a third larger.
  await deliver(await sendTo({ size: 1_000_000 }))

  expect(await attached()).toEqual(['1'])
  expect((await read(reference)).trouble).toContain('its files are too large')
})

test('files that were given back can be too many to be sent together', async () => {
  const first = await attach('1', Buffer.alloc(6_000_000))
  await answer(reference, { files: [first] })
  const second = await attach('2', Buffer.alloc(6_000_000))
  await undo(reference)

  const again = answer(reference, { key: randomUUID(), files: [first, second] })
  await expect(again).rejects.toMatchObject({ code: 'too_large' })
  await answer(reference, { key: randomUUID(), files: [second] })
  expect(await attached()).toEqual(['1'])
})

test('nothing is sent without a file that the answer should have', async () => {
  await answer(reference, { files: [await attach('1', Buffer.from('1'))] })
  await site.db.deleteFrom('files').execute()
  afterUndo()
  const write = writeEmailOf(site)
  await deliver(async (email) => {
    await write(email)
    return '250 ok'
  })

  const states = await site.db.selectFrom('outbox').select(['kind', 'state']).orderBy('id').execute()
  expect(states[0]).toEqual({ kind: 'answer', state: 'queued' })
})
