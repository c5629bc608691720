import { beforeEach, expect, test, vi } from 'vitest'
import { fewFields, showLeads, storedLead, useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { forgetTyped, keys, queryClient } from './queries.ts'

const { use, sent, respondWith } = useInboxPage()
const { attachFiles, cancelUpload, upload, useUploads } = await import('./uploads.ts')

/** Takes its responses from those of `fetch`. */
class FakeRequest {
  upload = { onprogress: (_: { loaded: number; total: number }) => {} }
  status = 0
  responseText = ''
  onload = () => {}
  onerror = () => {}
  #address = ''
  #isAborted = false
  open(_method: string, address: string) {
    this.#address = address
  }
  setRequestHeader() {}
  abort() {
    this.#isAborted = true
  }
  async send() {
    this.upload.onprogress({ loaded: 1, total: 4 })
    await new Promise((done) => setTimeout(done, takesMs))
    const response = await fetch(this.#address, { method: 'PUT' }).catch(() => undefined)
    if (!response || this.#isAborted) return this.onerror()
    this.status = response.status
    this.responseText = await response.text()
    this.onload()
  }
}

let read: () => Promise<ArrayBuffer>
let takesMs: number
/** Reading a real file takes time that no fake clock knows. */
const fileOf = (name: string, size = 3) =>
  Object.assign(new File(['x'.repeat(size)], name), { slice: () => ({ arrayBuffer: () => read() }) })
const uploads = () => use(() => useUploads('Q-1')).map(({ file, trouble }) => [file.name, trouble])
const attach = (...files: File[]) => attachFiles('Q-1', files, [])
const attached = (...names: string[]) => ({ attached: names.map((name) => ({ id: id(1), name, size: 3 })) })
const id = (number: number) => `5b0c5f5e-7e1c-4c39-9e5a-${String(number).padStart(12, '0')}`
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const unreachable = 'The server cannot be reached. Please check your connection.'

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  read = async () => new ArrayBuffer(1)
  takesMs = 0
  showLeads(fewFields('Q-1', { attached: [] }))
})

test('files are uploaded one after the other, and each counts once the server has it', async () => {
  respondWith([200, attached('a.pdf')], [200, attached('a.pdf', 'b.jpg')])
  expect(attach(fileOf('a.pdf'), fileOf('b.jpg'))).toBeUndefined()

  await pass(5)
  expect([sent().length, uploads().length]).toEqual([1, 2])
  await pass(10)
  expect(uploads()).toEqual([['b.jpg', undefined]])
  await pass(10)
  expect([uploads(), storedLead('Q-1')]).toMatchObject([[], attached('a.pdf', 'b.jpg')])
})

test('an upload whose response is lost is repeated with the same ID', async () => {
  respondWith([0, {}], [502, {}], [200, attached('a.pdf')])
  attach(fileOf('a.pdf'))

  await pass(1_000)
  expect(uploads()).toEqual([['a.pdf', unreachable]])
  await pass(10_000)
  expect(uploads()).toEqual([])
  const paths = sent().map(({ path }) => path)
  expect(paths).toHaveLength(3)
  expect(new Set(paths).size).toBe(1)
})

test('an upload waits for a sign-in, and sends nothing before', async () => {
  const session = queryClient.getQueryData(keys.session)
  respondWith([401, { detail: 'Please sign in.' }], [200, attached('a.pdf')])
  attach(fileOf('a.pdf'))
  await pass(1_000)
  queryClient.setQueryData(keys.session, null)

  await pass(60_000)
  expect([sent().length, queryClient.isMutating()]).toEqual([1, 1])
  queryClient.setQueryData(keys.session, session)
  await pass(5_000)
  expect(uploads()).toEqual([])
})

test('a slow upload has minutes, says how much was sent, and ends when the owner signs out', async () => {
  takesMs = 60_000
  respondWith([200, attached('a.pdf')])
  attach(fileOf('a.pdf'), fileOf('b.jpg'))
  await pass(50_000)
  const [first] = use(() => useUploads('Q-1'))
  expect(queryClient.getQueryData(keys.typed('sent', first?.id ?? ''))).toBe(0.25)
  await pass(15_000)
  expect(uploads()).toEqual([['b.jpg', undefined]])

  forgetTyped()
  expect(queryClient.isMutating()).toBe(0)
})

test('what the server refuses stays, with the reason, until it is tried again', async () => {
  respondWith([409, { detail: 'No room.' }], [200, attached('b.jpg')], [200, attached('a.pdf', 'b.jpg')])
  attach(fileOf('a.pdf'), fileOf('b.jpg'))
  await pass(1_000)
  expect(uploads()).toEqual([['a.pdf', 'No room.']])

  const [failed] = use(() => useUploads('Q-1'))
  if (failed) upload('Q-1', failed.file, failed.id)
  await pass(1_000)
  expect(uploads()).toEqual([])
  expect(sent().at(-1)?.path).toBe(sent()[0]?.path)
})

test('a folder, and a file that is gone from the disk, are not tried again', async () => {
  read = () => Promise.reject(new Error('NotReadableError'))
  attach(fileOf('photos'))

  await pass(10_000)

  expect([sent(), uploads()]).toEqual([
    [],
    [['photos', 'This cannot be read: it is a folder, or a file that has changed.']],
  ])
})

test.each([
  ['during an attempt', 5, ['b.jpg']],
  ['between two attempts', 1_000, ['b.jpg']],
  ['between two attempts, as the only one,', 1_000, []],
])('an upload that is canceled %s is not repeated, and the next one begins', async (_when, ms, others) => {
  respondWith([0, {}], [200, attached('b.jpg')])
  attach(fileOf('a.pdf'), ...others.map((name) => fileOf(name)))
  const [first] = use(() => useUploads('Q-1'))
  await pass(ms)
  cancelUpload('Q-1', first?.id ?? '')

  await pass(1_000)

  expect(uploads()).toEqual([])
  await pass(60_000)
  expect(new Set(sent().map(({ path }) => path)).size).toBe(1 + others.length)
  expect(sent()).toHaveLength(1 + others.length)
})

const limits = 'An answer can have at most 10 files with 10 MB together, and no empty files or folders.'
const ten = Array.from({ length: 10 }, () => ({ size: 1 }))

test.each([
  ['an empty file', [fileOf('empty.txt', 0)], [], 'empty.txt (0 kB)'],
  ['a large file', [fileOf('storefront.mov', 10_000_001)], [], 'storefront.mov (10.1 MB)'],
  ['too much together', [fileOf('a.pdf', 9_000_000), fileOf('b.jpg', 1_500_000)], [], 'b.jpg (1.5 MB)'],
  ['too many files', [fileOf('k.pdf'), fileOf('l.pdf')], ten, 'k.pdf (1 kB), l.pdf (1 kB)'],
])('%s is refused before it is uploaded', (_what, files, before, names) => {
  expect(attachFiles('Q-1', files, before)).toBe(`Not attached: ${names}. ${limits}`)
})
