import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, globSync, renameSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { apiPath } from '#shared/inbox/api.ts'
import { fileOfEvent } from '#shared/inbox/files.ts'
import { createFetchFile } from '../mailbox/fetch-file.ts'
import { FINDING_MS } from '../mailbox/limits.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { signIn } from '../proof/testing/owner-browser.ts'
import { useMailbox, withBody } from '../proof/testing/watched-mailbox.ts'

type Attached = { headers: string; bytes: Buffer }

const jpg = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), randomBytes(300_001)])
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\r\n'), randomBytes(150_000)])
// Latin-1 with each byte, and lines without an end.
const txt = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.alloc(300_000, 'Dächer für Köln\n', 'latin1'),
])

const base64 = (headers: string, bytes: Buffer, encoded = bytes): Attached => ({
  headers: `${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded.toString('base64').replace(/.{76}/g, '$&\r\n')}`,
  bytes,
})
const quoted = (headers: string, bytes: Buffer): Attached => ({
  headers: `${headers}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${bytes
    .toString('hex')
    .toUpperCase()
    .replace(/../g, '=$&')
    .replace(/.{75}/g, '$&=\r\n')}`,
  bytes,
})
const three = [
  base64('Content-Type: image/jpeg; name="photo.jpg"\r\nContent-Disposition: attachment', jpg),
  base64('Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="Dach plan.pdf"', pdf),
  quoted('Content-Type: text/plain; charset=iso-8859-1; format=flowed; name=list.txt', txt),
]
const mixed = (files: readonly Attached[]) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee the files.\r\n${files.map(({ headers }) => `--b\r\n${headers}\r\n`).join('')}--b--\r\n`

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, submit } = leadTools(site)

/** Opens the app on a port. Returns a function that downloads with the cookie of a session. */
async function openApp() {
  const listening = createServer(site.app).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  onTestFinished(() => void listening.close())
  const { port } = listening.address() as AddressInfo
  const { cookies } = await signIn(site, undefined, anna)
  const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  return (reference: string, event: number, index: number) =>
    fetch(`http://127.0.0.1:${port}${apiPath}/leads/${reference}/${fileOfEvent(event, index)}`, {
      headers: { Cookie },
    })
}
const detailOf = async (response: Response) => {
  const { status, detail } = (await response.json()) as { status: number; detail: string }
  return `${status} ${detail}`
}
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test('the files of an answer are downloads, too', async () => {
  const reference = await submit()
  const browser = await signIn(site, undefined, anna)
  const id = randomUUID()
  await browser.attach(reference, { id, name: 'photo.png', bytes: jpg })
  const { version } = await read(reference)
  const answer = { text: 'See the photo.', key: randomUUID(), base: null, version, files: [id] }
  expect((await browser.post(`/leads/${reference}/answers`, answer)).status).toBe(200)
  const [event] = (await browser.get(`/leads/${reference}`)).body.events
  const download = await openApp()
  const response = await download(reference, event.id, 0)
  expect(response.headers.get('Content-Type')).toBe('image/jpeg')
  expect(response.headers.get('Content-Disposition')).toBe('attachment; filename=photo.png')
  expect((await bytesOf(response)).equals(jpg)).toBe(true)
  expect(await detailOf(await download(reference, event.id, 1))).toBe('404 There is no such file.')
})

test('six files of answers are sent at a time, so that those that nobody reads never fill the memory', async () => {
  const reference = await submit()
  const browser = await signIn(site, undefined, anna)
  const id = randomUUID()
  await browser.attach(reference, { id, bytes: randomBytes(9_900_000) })
  const { version } = await read(reference)
  const answer = { text: 'See the photo.', key: randomUUID(), base: null, version, files: [id] }
  await browser.post(`/leads/${reference}/answers`, answer)
  const [event] = (await browser.get(`/leads/${reference}`)).body.events
  const download = await openApp()
  const unread = await Promise.all(Array.from({ length: 6 }, () => download(reference, event.id, 0)))
  expect(await detailOf(await download(reference, event.id, 0))).toMatch(/^503 Other files are being fetched/)
  await unread[0]?.body?.cancel()
  expect((await bytesOf(await download(reference, event.id, 0))).length).toBe(9_900_000)
  for (const { body } of unread.slice(1)) await body?.cancel()
})

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const { server, watched, kinds } = useMailbox(site)

  /** A lead with a reply that has these files, which are in the mailbox. */
  async function replied(files: readonly Attached[] = three, at?: Date) {
    const { reference, answers, stop } = await watched()
    const forge = (forged: readonly Attached[], when?: Date) =>
      server.deliver(withBody(answers, 'files@x', mixed(forged)), 'INBOX', when)
    forge(files, at)
    await expect.poll(() => kinds(reference)).toEqual(['reply'])
    await stop()
    connect(server.url)
    return { reference, forge, event: await replyOf(reference) }
  }
  const connect = (url: string | undefined) => Object.assign(site.context.env, { IMAP_URL: url })
  async function replyOf(reference: string) {
    const { id } = await read(reference)
    const events = site.db.selectFrom('lead_events').select('id').where('lead_id', '=', id)
    return (await events.where('what', '=', 'reply').executeTakeFirstOrThrow()).id
  }
  test('three files arrive byte for byte, as downloads that no browser runs or stores', async () => {
    const { reference, event } = await replied()
    const download = await openApp()
    const types = ['image/jpeg', 'application/octet-stream', 'application/octet-stream']
    const names = ['photo.jpg', '"Dach plan.pdf"', 'list.txt']
    for (const [index, { bytes }] of three.entries()) {
      const response = await download(reference, event, index)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': types[index],
        'content-disposition': `attachment; filename=${names[index]}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      expect((await bytesOf(response)).equals(bytes)).toBe(true)
    }
    expect(await detailOf(await download(reference, event, 3))).toBe(
      '404 This file is no longer in the email.',
    )
  })

  test('files of messages that version 1.0.0 has stored are found', async () => {
    const { reference, event } = await replied()
    await site.db
      .updateTable('lead_events')
      .set({ key: sql`'mail ' || message_hash`, received: JSON.stringify({ messageId: '<files@x>' }) })
      .where('id', '=', event)
      .execute()

    expect((await bytesOf(await (await openApp())(reference, event, 1))).equals(pdf)).toBe(true)
  })

  test('files of a message are found, whether or not its signature was stored as one of them', async () => {
    const [first, ...others] = three.slice(0, 2) as [Attached, Attached]
    const signature = base64('Content-Type: application/pkcs7-signature; name=smime.p7s', txt)
    const { reference, event } = await replied([first, signature, ...others])
    const download = await openApp()
    expect((await bytesOf(await download(reference, event, 1))).equals(pdf)).toBe(true)
    const attachments = ['photo.jpg (301 kB)', 'smime.p7s (301 kB)', 'Dach plan.pdf (151 kB)']
    const { received } = await site.db
      .selectFrom('lead_events')
      .select('received')
      .where('id', '=', event)
      .executeTakeFirstOrThrow()
    const earlier = JSON.stringify({ ...JSON.parse(received ?? ''), attachments })
    await site.db.updateTable('lead_events').set({ received: earlier }).where('id', '=', event).execute()

    expect((await bytesOf(await download(reference, event, 2))).equals(pdf)).toBe(true)
  })

  test('files are found after the message was moved, also into a folder that is not read', async () => {
    const { reference, event } = await replied()
    const download = await openApp()
    for (const folder of ['.Archive', '.Offers.2026']) {
      server.deliver('Message-ID: <other@x>\r\n\r\nOther', folder.slice(1))
      const [file = ''] = globSync(join(server.maildir, '{,.Archive/}{new,cur}/*M000001.*'))
      renameSync(file, join(server.maildir, folder, 'cur', `${basename(file).split(':')[0]}:2,S`))
      expect((await bytesOf(await download(reference, event, 1))).equals(pdf)).toBe(true)
    }
  })

  test('the file of an email without a Message-ID, as scanners send it, is found', async () => {
    const { reference, answers, stop } = await watched()
    const scan = withBody(answers, 'scan@x', mixed(three)).replace(/^Message-ID:.*\r\n/m, '')
    server.deliver(scan, 'INBOX', site.clock.now)
    await expect.poll(() => kinds(reference)).toEqual(['reply'])
    await stop()
    connect(server.url)
    const download = await openApp()
    const event = await replyOf(reference)
    expect((await bytesOf(await download(reference, event, 1))).equals(pdf)).toBe(true)
    // Also after it was moved, if another folder can't be read, and if another scan came with it.
    server.deliver(scan.replace('See', 'Then see'), 'INBOX', site.clock.now)
    for (const folder of ['Junk', 'Offers']) server.deliver('Message-ID: <other@x>\r\n\r\nOther', folder)
    const [file = ''] = globSync(join(server.maildir, '{new,cur}/*M000001.*'))
    renameSync(file, join(server.maildir, '.Offers', 'cur', `${basename(file).split(':')[0]}:2,S`))
    chmodSync(join(server.maildir, '.Junk'), 0)
    expect((await bytesOf(await download(reference, event, 1))).equals(pdf)).toBe(true)
  })

  test('an email that was deleted, a mailbox that is down, and one that is not connected say so', async () => {
    const { reference, event } = await replied()
    const download = await openApp()
    const detail = async () => detailOf(await download(reference, event, 0))
    server.remove(1)
    expect(await detail()).toBe('404 This email is no longer in the mailbox. It may have been deleted.')
    connect('imap://hello@agency.example:x@127.0.0.1:1')
    expect(await detail()).toMatch(/^503 The mailbox cannot be reached right now\./)
    connect(undefined)
    expect(await detail()).toMatch(/^404 The inbox no longer has a mailbox\./)
  })

  test('another message with the same ID never stands for this one, not even from the same second', async () => {
    const at = new Date('2026-03-01T10:00:00Z')
    const { reference, forge, event } = await replied(three, at)
    const download = await openApp()
    const evil = [base64('Content-Type: image/jpeg; name="photo.jpg"', Buffer.from('evil'))]
    forge(evil, at)
    // The same, up to where nobody compares.
    forge([...three.slice(0, 1), ...evil], new Date(at.getTime() + 1_000))
    expect((await bytesOf(await download(reference, event, 0))).equals(jpg)).toBe(true)
    server.remove(1)
    expect(await detailOf(await download(reference, event, 0))).toMatch(/^404 This email is no longer/)
    server.remove(2)
    expect(await detailOf(await download(reference, event, 1))).toMatch(/^404 This email is no longer/)
  })

  test('finding a file has a time limit, which does not end its download', async () => {
    const { event } = await replied()
    const events = site.db.selectFrom('lead_events').selectAll()
    const found = await events.where('id', '=', event).executeTakeFirstOrThrow()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const fetched: Uint8Array[] = []
    await createFetchFile(site.context)(found, 0, async ({ bytes }) => {
      vi.advanceTimersByTime(FINDING_MS)
      for await (const part of bytes) fetched.push(part)
    })
    expect(Buffer.concat(fetched).equals(jpg)).toBe(true)
  })

  test('a file of 30 MB says that it is too large; of one with a hostile name, and an empty one, nothing is left out', async () => {
    const large = base64('Content-Type: video/mp4; name=tour.mp4', Buffer.alloc(30_000_000))
    const name = "Content-Disposition: attachment; filename*=utf-8''..%2Fplan%E2%80%AEfdp.exe"
    const empty = base64('Content-Type: application/pdf; name=empty.pdf', Buffer.alloc(0))
    const message = quoted(`Content-Type: text/html\r\n${name}`, Buffer.from('<script>'))
    const { reference, event } = await replied([large, message, empty])
    const download = await openApp()
    expect(await detailOf(await download(reference, event, 0))).toMatch(
      /^413 This file has 3\d\.\d MB\. Open it/,
    )
    const hostile = await download(reference, event, 1)
    expect(hostile.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(hostile.headers.get('Content-Disposition')).toBe('attachment; filename=planfdp.exe')
    expect(await hostile.text()).toBe('<script>')
    expect((await bytesOf(await download(reference, event, 2))).length).toBe(0)
  })

  test('two files are fetched at a time; one that ends early, or that nobody takes anymore, makes room', async () => {
    const video = base64('Content-Type: video/mp4; name=tour.mp4', randomBytes(24_000_000))
    const { reference, event } = await replied([video, ...three])
    const download = await openApp()
    const [first, second] = [await download(reference, event, 0), await download(reference, event, 0)]
    expect(await detailOf(await download(reference, event, 1))).toMatch(/^503 Other files are being fetched/)
    await first.body?.cancel()
    expect((await bytesOf(await download(reference, event, 1))).equals(jpg)).toBe(true)
    server.endConnections()
    await expect(second.arrayBuffer()).rejects.toThrow()
    expect((await bytesOf(await download(reference, event, 0))).equals(video.bytes)).toBe(true)
  })

  test("only owners see the files of a lead, and none of another one's", async () => {
    const { reference, event } = await replied()
    const download = await openApp()
    const other = await submit()
    expect(await detailOf(await download(other, event, 0))).toBe('404 There is no such file.')
    expect(await detailOf(await download(reference, Number.NaN, 0))).toBe('404 There is no such file.')
    await site.db.deleteFrom('sessions').execute()
    expect(await detailOf(await download(reference, event, 0))).toMatch(/^401 /)
    const again = await openApp()
    await site.db.deleteFrom('leads').where('reference', '=', reference).execute()
    expect(await detailOf(await again(reference, event, 0))).toMatch(/^404 There is no lead/)
  })
})
