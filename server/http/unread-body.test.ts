import { once } from 'node:events'
import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limitConnections } from './limit-connections.ts'

const MAX_CONNECTIONS = 3

const listeners: Record<string, RequestListener> = {
  '/': (_request, response) => response.end('page'),
  '/late': (_request, response) => void sleep(50).then(() => response.end('late')),
  '/kept': (_request, response) => response.writeHead(200, { 'Content-Length': 4 }).end('kept'),
  '/read': async (request, response) => {
    let size = 0
    for await (const chunk of request) size += chunk.length
    response.end(`${size}`)
  },
}

let server: ReturnType<typeof createServer>
let sockets: Socket[]
let port: number
beforeEach(async () => {
  sockets = []
  server = createServer({ keepAliveTimeout: 60_000 })
  const limits = { maxConnections: MAX_CONNECTIONS, responseTimeoutMs: 60_000, trustProxy: 0 }
  const withLimits = limitConnections(server, limits)
  server.on(
    'request',
    withLimits((request, response) => listeners[request.url ?? '']?.(request, response)),
  )
  server.on('connection', (socket) => sockets.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(async () => {
  server.closeAllConnections()
  await promisify(server.close.bind(server))()
})

const open = (path: string, method = 'GET') => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`)
  return socket
}
const pour = (socket: Socket) => {
  const block = '1\r\nx\r\n'.repeat(10_000)
  const more = () => {
    while (socket.writable && socket.write(block));
  }
  socket.on('drain', more)
  more()
}
const responseOf = async (socket: Socket) => String((await once(socket, 'data'))[0])
const ask = (body: string[], path = '/read') =>
  new Promise<string>((done, fail) => {
    const client = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', agent: false }, (response) =>
      response.setEncoding('utf8').on('data', done),
    ).on('error', fail)
    const send = async () => {
      for (const chunk of body) {
        client.write(chunk)
        await sleep(10)
      }
      client.end()
    }
    void send()
  })

test.each(['/', '/late', '/kept'])(
  'at %s, the server stops reading a body that the listener ignores, and closes the connection',
  async (path) => {
    const socket = open(path)
    pour(socket)

    const response = await responseOf(socket)
    await new Promise((done) => socket.on('close', done))

    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)*Connection: close/)
    expect(sockets[0]?.bytesRead).toBeLessThan(300_000)
  },
)

test('a client that sends its body after the server has responded can still read the response', async () => {
  const socket = open('/').pause()
  await sleep(100)
  socket.write('5\r\nhello\r\n0\r\n\r\n')
  await sleep(100)

  expect(await responseOf(socket.resume())).toContain('page')
})

test('after discarding unread bodies, the server still reads a slow chunked body', async () => {
  for (let count = 0; count < 5; count++) {
    const hostile = open('/')
    pour(hostile)
    await responseOf(hostile)
    hostile.destroy()

    expect(await ask(Array(10).fill('x'.repeat(100)))).toBe('1000')
  }
})

test('a connection that is being closed makes room for a new one', async () => {
  const ending = await Promise.all(
    Array.from({ length: MAX_CONNECTIONS }, async () => {
      const socket = open('/')
      await responseOf(socket)
      return socket
    }),
  )

  for (let count = 0; count < 2 * MAX_CONNECTIONS; count++) await responseOf(open('/'))

  expect(ending).toHaveLength(MAX_CONNECTIONS)
  await expect
    .poll(() => promisify(server.getConnections.bind(server))())
    .toBeLessThanOrEqual(MAX_CONNECTIONS)
  await expect.poll(() => sockets.every((socket) => socket.closed), { timeout: 3000 }).toBe(true)
})
