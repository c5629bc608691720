import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import { apiPath } from '#shared/inbox/api.ts'
import { fileOfDraft } from '#shared/inbox/files.ts'
import { openPort } from '../http/open-port.ts'
import { readParts } from '../leads/answers/files.ts'
import { createUploadCleanup, uploadFile } from '../leads/answers/upload-file.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../proof/testing/leads.ts'
import { type OwnerBrowser, openBrowser, signIn } from '../proof/testing/owner-browser.ts'
import { waitUntil } from '../proof/testing/wait-until.ts'

const MB = 1_000_000
const site = useTestApp({ mailTo: [anna, bob] })
const { submit } = leadTools(site)
let browser: OwnerBrowser
let reference: string
beforeEach(async () => {
  browser = await signIn(site, openBrowser(site.app), anna)
  reference = await submit()
})

const stored = () => site.db.selectFrom('files').selectAll().execute()
const parts = () => site.db.selectFrom('file_parts').select(['file_id', 'number']).execute()
const read = (id: string, size: number) => buffer(readParts(site.db, { id, size }))
const namesIn = ({ body }: { body: { attached: { name: string }[] } }) =>
  body.attached.map(({ name }) => name)

test('a file is stored byte for byte, in parts, once, and shown to its owner only', async () => {
  const id = randomUUID()
  const bytes = randomBytes(600_000)
  for (const _time of [1, 2]) {
    const { status, body } = await browser.attach(reference, { id, bytes })
    expect([status, body]).toEqual([200, { attached: [{ id, name: 'plan.pdf', size: 600_000 }] }])
  }

  expect(await parts()).toHaveLength(3)
  expect((await read(id, 600_000)).equals(bytes)).toBe(true)
  const seenBy = async (one: OwnerBrowser) => (await one.get(`/leads/${reference}`)).body.attached.length
  expect(await seenBy(browser)).toBe(1)
  const other = await signIn(site, openBrowser(site.app), bob)
  expect(await seenBy(other)).toBe(0)
  expect((await other.attach(reference, { id })).status).toBe(409)
  expect((await browser.attach(await submit(), { id })).status).toBe(409)
  const listOf = async (one: OwnerBrowser) =>
    (await one.get('/leads')).body.leads.map(({ hasDraft }: { hasDraft: boolean }) => hasDraft)
  expect([await listOf(browser), await listOf(other)]).toEqual([
    [true, false],
    [false, false],
  ])
})

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\Anna\\plan.pdf', 'plan.pdf'],
  ['Größe – 日本語.pdf', 'Größe – 日本語.pdf'],
  ['pay\u202efdp.exe', 'payfdp.exe'],
  ['a\0b\r\nSubject: x.pdf', 'ab Subject- x.pdf'],
  ['', 'file'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
])('a name has no path and nothing invisible, and at most 200 characters: %j', async (name, kept) => {
  expect(namesIn(await browser.attach(reference, { name }))).toEqual([kept])
})

test.each([
  ['image/jpeg', 'image/jpeg'],
  ['text/html; charset=utf-8', 'application/octet-stream'],
  ['', 'application/octet-stream'],
  ['x/y"\tz', 'application/octet-stream'],
  ['message/rfc822', 'application/octet-stream'],
])('a type that is more than two words is not kept: %j', async (type, kept) => {
  await browser.attach(reference, { type })

  expect(await stored()).toMatchObject([{ type: kept }])
})

test('an empty file, a JSON body, and an id or a name that cannot be read are refused', async () => {
  const empty = await browser.attach(reference, { bytes: Buffer.alloc(0) })
  expect([empty.status, empty.body.detail]).toEqual([400, 'This file is empty.'])
  expect((await browser.attach(reference, { id: 'x' })).status).toBe(400)
  expect((await browser.attach(reference).set('X-File-Name', '%')).status).toBe(400)
  expect((await browser.attach(reference).set('Content-Encoding', 'gzip')).status).toBe(415)
  expect((await browser.put(`/leads/${reference}/${fileOfDraft(randomUUID())}`)).status).toBe(415)
  expect((await browser.attach('Q-7K3M-9QXD')).status).toBe(404)
  expect(await stored()).toEqual([])
})

test('an answer has at most ten files, with 10 MB together, also if they come at the same time', async () => {
  const many = Array.from({ length: 12 }, () => browser.attach(reference))
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.filter((status) => status === 409)).toHaveLength(2)
  expect((await browser.attach(reference)).body.detail).toBe('An answer can have at most 10 files.')

  reference = await submit()
  const large = [1, 2, 3].map(() => browser.attach(reference, { bytes: Buffer.alloc(4 * MB) }))
  const responses = await Promise.all(large)
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 413])
  expect((await browser.attach(reference, { bytes: Buffer.alloc(11 * MB) })).body.detail).toBe(
    'All files of an answer together can have at most 10 MB.',
  )
})

test('a removed file is gone, and its place is free', async () => {
  const id = randomUUID()
  await browser.attach(reference, { id, bytes: Buffer.alloc(9 * MB) })
  await browser.attach(reference, { name: 'other.pdf' })

  const path = `/leads/${reference}/${fileOfDraft(id)}`
  for (const _time of [1, 2]) expect(namesIn(await browser.delete(path))).toEqual(['other.pdf'])
  expect(await parts()).toHaveLength(1)
  expect((await browser.attach(reference, { bytes: Buffer.alloc(9 * MB) })).status).toBe(200)
})

const upload = (bytes: AsyncIterable<Buffer>, changes = {}) =>
  uploadFile(site.inboxDeps, {
    ...{ reference, owner: anna, id: randomUUID(), name: 'a.txt', type: '', size: undefined },
    ...{ bytes, ...changes },
  })

/** Bytes, in chunks of 1 MB, after which the stream ends or fails. */
async function* stream(megabytes: number, isCutOff = false) {
  for (let sent = 0; sent < megabytes; sent++) yield Buffer.alloc(MB, sent)
  if (isCutOff) throw new Error('cut off')
}

test('an upload that says too little about its size is stopped, and one that is cut off is not shown and can be repeated', async () => {
  await expect(upload(stream(1_000))).rejects.toMatchObject({ code: 'too_large' })
  const id = randomUUID()
  await expect(upload(stream(2, true), { id, size: 3 * MB })).rejects.toThrow('cut off')
  expect((await browser.get(`/leads/${reference}`)).body.attached).toEqual([])

  expect(await upload(stream(3), { id })).toEqual([{ id, name: 'a.txt', size: 3 * MB }])
  expect((await read(id, 3 * MB)).at(-1)).toBe(2)
})

test.each([
  ['is finished', false],
  ['goes on', true],
])(
  'an upload that was replaced by a later one of the same file, which %s, stores nothing more',
  async (_what, isCutOff) => {
    // Another one goes on meanwhile.
    await upload(stream(1, true)).catch(() => {})
    const id = randomUUID()
    async function* slow() {
      yield Buffer.alloc(MB, 1)
      await upload(stream(2, isCutOff), { id }).catch(() => {})
      yield Buffer.alloc(MB, 1)
    }

    await expect(upload(slow(), { id })).rejects.toMatchObject({ code: 'conflict' })
    await upload(stream(2), { id })
    expect((await read(id, 2 * MB)).subarray(0, MB).every((byte) => byte === 0)).toBe(true)
  },
)

test.each([
  ['after an hour', 61],
  ['if it was dated by a wrong clock', -61],
])('an upload that was not finished is deleted %s', async (_when, minutes) => {
  await upload(stream(1, true)).catch(() => {})
  await browser.attach(reference)
  const clean = createUploadCleanup(site.context)
  const counts = async () => [(await stored()).length, (await parts()).length]

  await clean(new AbortController().signal)
  expect(await counts()).toEqual([2, 4])
  site.advanceClock(minutes * 60_000)
  await clean(new AbortController().signal)
  expect(await counts()).toEqual([1, 1])
})

test('unfinished answers to all leads hold at most 500 MB of one owner', async () => {
  const { id } = await site.db.selectFrom('leads').select('id').executeTakeFirstOrThrow()
  const row = { lead_id: id, owner: anna, name: 'a', type: 'a/b', at: '2026-03-02T15:00:00.000Z' }
  const unfinished = Array.from({ length: 50 }, () => ({ ...row, id: randomUUID() }))
  await site.db.insertInto('files').values(unfinished).execute()

  expect((await browser.attach(await submit())).body.detail).toContain('too many files')
  const other = await signIn(site, openBrowser(site.app), bob)
  expect((await other.attach(reference)).status).toBe(200)

  // What was sent no longer counts.
  await site.db.updateTable('files').set({ in_draft: 0, size: 10_000_000 }).execute()
  expect((await browser.attach(await submit())).status).toBe(200)
})

test('a client that stops in the middle leaves nothing that is shown', async () => {
  const { number, serve, stop } = await openPort({ PORT: 0, HOST: '127.0.0.1' })
  serve(site.app)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = connect(number, '127.0.0.1')
  socket.write(
    `PUT ${apiPath}/leads/${reference}/${fileOfDraft(randomUUID())} HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n` +
      'Sec-Fetch-Site: same-origin\r\nContent-Type: application/octet-stream\r\nContent-Length: 900000\r\n\r\n',
  )
  socket.write(Buffer.alloc(800_000))
  const closed = text(socket).catch(() => 'reset')
  await waitUntil('three parts are stored', async () => (await parts()).length === 3)
  socket.destroy()
  await closed

  await stop()
  expect(await stored()).toMatchObject([{ size: null }])
  expect((await browser.get(`/leads/${reference}`)).body).toMatchObject({ attached: [], hasDraft: false })
})

test('an answer with too many files, such as those that an undo gave back, says how many it can have', async () => {
  const files = Array.from({ length: 11 }, () => randomUUID())
  const body = { text: 'Yes.', key: randomUUID(), base: null, version: 0, files }
  const { status, text } = await browser.post(`/leads/${reference}/answers`, body)
  expect([status, text]).toEqual([400, expect.stringContaining('An answer can have at most 10 files.')])
})
