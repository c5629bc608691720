import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { IN_USE } from '#shared/inbox/headers.ts'
import { ApiError, anything, callApi, downloadFile, serverNow, setPageOwner, watchUse } from './api.ts'

afterEach(() => vi.unstubAllGlobals())

const number = z.object({ number: z.number() })

function respond(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetch = vi.fn(
    async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }),
  )
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const errorOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

test('a response is validated and returned', async () => {
  const fetch = respond(200, { number: 7, more: true })

  expect(await callApi('/summary', number)).toEqual({ number: 7 })
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/api/summary', expect.objectContaining({ method: 'GET' }))
})

test('a request that was sent early is used once, and only to read; after a 401, none is', async () => {
  const early = () => Promise.resolve(new Response('{"number":1}'))
  const fetch = respond(200, { number: 7 })
  globalThis.earlyRequests = new Map(['/api/a', '/api/b', '/api/c'].map((path) => [path, early()]))
  const read = (path: string) => callApi(path, number).then(({ number }) => number)

  expect([await read('/a'), await read('/a')]).toEqual([1, 7])
  expect(await callApi('/b', number, { method: 'POST' })).toEqual({ number: 7 })
  fetch.mockResolvedValueOnce(new Response('', { status: 401 }))
  await errorOf(read('/d'))
  expect(await read('/c')).toBe(7)
})

test('a file keeps its name, and what the server refuses says why', async () => {
  respond(200, 'content', { 'Content-Disposition': 'attachment; filename="leads.xlsx"' })
  const onProgress = vi.fn()
  const file = await downloadFile('/export', onProgress)
  expect([file.name, await file.text()]).toEqual(['leads.xlsx', 'content'])
  expect(onProgress).toHaveBeenLastCalledWith(7)
  const parts = new ReadableStream({
    start(controller) {
      for (const size of [3, 2]) controller.enqueue(new Uint8Array(size))
      controller.close()
    },
  })
  const headers = { 'Content-Disposition': 'attachment' }
  vi.stubGlobal('fetch', async () => new Response(parts, { headers }))
  await downloadFile('/export', onProgress)
  expect(onProgress).toHaveBeenLastCalledWith(5)

  respond(200, '<p>Log in</p>')
  expect(await errorOf(downloadFile('/export'))).toMatchObject({ isTransient: true })
  respond(403, { detail: 'Please sign in again.' })
  expect((await errorOf(downloadFile('/export'))).message).toBe('Please sign in again.')
  respond(413, '<h1>413 Request Entity Too Large</h1>')
  expect((await errorOf(callApi('/leads/Q-1/files/1', anything))).message).toMatch('files of this size')
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  expect((await errorOf(downloadFile('/export'))).message).toMatch('cannot be reached')
})

test('a request that changes something is JSON, even without content, and says whose page sent it', async () => {
  const fetch = respond(200, {})
  setPageOwner('änna@agency.example')

  await callApi('/session', anything, { method: 'DELETE' })

  const init = fetch.mock.calls[0]?.at(1) as RequestInit | undefined
  expect(init).toMatchObject({
    body: '{}',
    headers: { 'Content-Type': 'application/json', 'X-Page-Of': '%C3%A4nna%40agency.example' },
  })
})

test("after a conflict, the error includes the server's explanation and the current state of the lead", async () => {
  const body = { detail: 'Bob was faster.', current: { state: 'answered', version: 4 } }
  respond(409, body, { 'Retry-After': '7' })

  const error = await errorOf(callApi('/leads/Q-1/state', anything, { method: 'POST' }))

  expect(error).toMatchObject({
    status: 409,
    message: 'Bob was faster.',
    current: { state: 'answered', version: 4 },
    retryAfterMs: 7000,
  })
  expect(error.isTransient).toBe(false)
})

test.each([
  ['a failed connection', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an HTML page from a captive portal', async () => new Response('<p>Log in</p>')],
  ['an empty page', async () => new Response('')],
  ['an error page from a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
])('after %s, the error says that the server cannot be reached', async (_name, fetch) => {
  vi.stubGlobal('fetch', fetch)

  const error = await errorOf(callApi('/summary', anything))

  expect(error.message).toMatch('cannot be reached')
  expect(error.isTransient).toBe(true)
})

test('if a response does not match its schema, the error asks the owner to reload the page', async () => {
  respond(200, { number: 'seven' })

  expect((await errorOf(callApi('/summary', number))).message).toMatch('reload')
})

test.each([
  ['a response', () => new Promise(() => {})],
  ['the end of a response', async () => new Response(new ReadableStream())],
])('a request without %s times out after ten seconds', async (_what, fetch) => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetch)
  const error = errorOf(callApi('/summary', number))

  await vi.advanceTimersByTimeAsync(10_000)

  expect((await error).status).toBe(0)
  vi.useRealTimers()
})

test("the page uses the server's time if the device's clock is clearly wrong, but ignores small differences", async () => {
  const at = (ms: number) => ({ Date: new Date(Date.now() + ms).toUTCString() })
  for (const minutes of [60, -60]) {
    respond(200, {}, at(minutes * 60_000))
    await callApi('/summary', anything)
    expect(Math.round((serverNow() - Date.now()) / 60_000)).toBe(minutes)
  }

  respond(200, {}, at(0))
  await callApi('/summary', anything)
  expect(Math.abs(serverNow() - Date.now())).toBeLessThan(5)
})

test('for a minute after each sign of use, requests say that the owner uses the page', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  const fetch = respond(200, {})
  watchUse()
  const signs = ['pointerdown', 'click', 'keydown', 'wheel', 'visibilitychange']

  for (const sign of signs) {
    vi.setSystemTime(Date.now() + 60_000)
    await callApi('/summary', anything)
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event(sign))
    await callApi('/summary', anything)
    page.visibilityState = 'visible'
    page.dispatchEvent(new Event(sign))
    await callApi('/summary', anything)
  }

  vi.useRealTimers()
  const said = fetch.mock.calls.map((call) => IN_USE in Object(call.at(1)).headers)
  expect(said).toEqual(signs.flatMap(() => [false, false, true]))
})
