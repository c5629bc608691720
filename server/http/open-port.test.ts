import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { allowSlowBody, openPort } from './open-port.ts'

const HOST = '127.0.0.1'
const get = (headers = '') => `GET / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

/**
 * Sends these bytes to a new port, until the port closes the connection. Resolves to the port's
 * server, too.
 */
async function exchange(bytes: string) {
  const { number, serve, stop } = await openPort({ PORT: 0, HOST })
  onTestFinished(stop)
  let requests = 0
  let server: unknown
  serve(({ socket }, response) => {
    requests++
    server = Object(socket).server
    response.end()
  })
  const socket = connect(number, HOST)
  socket.write(bytes)
  const response = await text(socket).catch(() => 'reset')
  return { requests, server: Object(server), status: response.slice(9, 12) }
}

test('a client that sends more than a hundred requests at once is cut off', async () => {
  expect((await exchange(get().repeat(150))).requests).toBe(100)
})

test('a request has at most 64 headers, and less than 8 KiB of them', async () => {
  const others = ['X: y\r\n'.repeat(62), 'X: y\r\n'.repeat(63), `X: ${'y'.repeat(8 * 1024)}\r\n`]
  const responses = await Promise.all(others.map((other) => exchange(get(`Connection: close\r\n${other}`))))

  expect(responses.map(({ status }) => status)).toEqual(['200', '431', '431'])
})

test('the port listens only at HOST, and limits how long and how many clients can keep it busy', async () => {
  const { server } = await exchange(get('Connection: close\r\n'))

  expect(server.address()).toMatchObject({ address: HOST })
  expect(server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 600_000,
    keepAliveTimeout: 5_000,
    timeout: 60_000,
    maxConnections: 1_000,
  })
})

test.each([
  ['is cut off', false],
  ['goes on if it may be slow', true],
])('a body that is not whole after 15 seconds %s', async (_what, isAllowed) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { number, serve, stop } = await openPort({ PORT: 0, HOST })
  const received = new Promise((resolve) =>
    serve((request, response) => {
      if (isAllowed) allowSlowBody(request)
      resolve(request.resume().on('end', () => response.end()))
    }),
  )
  const socket = connect(number, HOST)
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbo')
  await received

  vi.advanceTimersByTime(15_000)

  socket.end('dy')
  expect((await text(socket).catch(() => '')).slice(9, 12)).toBe(isAllowed ? '200' : '408')
  vi.useRealTimers()
  await stop()
})
