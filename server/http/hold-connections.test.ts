import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { holdConnections } from './hold-connections.ts'

async function open(answer: RequestListener, options = {}) {
  const server = createServer({ keepAliveTimeout: 60_000 })
  holdConnections(server, { maxConnections: 3, answerTimeoutMs: 60_000, ...options })
  server.on('request', answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async connect() {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      // The server has seen it too, before the next one comes.
      await Promise.all([once(server, 'connection'), once(socket, 'connect')])
      return socket
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** By an end or by a reset. */
const goneFrom = (socket: Socket) => new Promise((done) => socket.on('close', done))

async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  return String(chunk).slice(0, 15)
}

test('beyond the bound the connection goes that has waited longest since its last answer', async () => {
  await using server = await open((_request, response) => response.end())
  const [first, second, third] = [await server.connect(), await server.connect(), await server.connect()]
  await ask(first)
  const isGone = goneFrom(second.resume())

  const fourth = await server.connect()

  await isGone
  expect(await Promise.all([first, third, fourth].map(ask))).toEqual(Array(3).fill('HTTP/1.1 200 OK'))
})

test('a client that does not take its answer is cut off', async () => {
  const size = 64 * 1024 * 1024
  await using server = await open((_request, response) => response.end(Buffer.alloc(size)), {
    answerTimeoutMs: 200,
  })
  const socket = await server.connect()
  await ask(socket)
  socket.pause()

  const isGone = goneFrom(socket)
  // Only what is on its way already still arrives.
  setTimeout(() => socket.resume(), 500)

  await isGone
  expect(socket.bytesRead).toBeLessThan(size)
})
