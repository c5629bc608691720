import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newDataDir, startProgram } from '../proof/testing/start-program.ts'
import { limitConnections, proxyCheck } from './limit-connections.ts'
import { listen } from './listen.ts'

async function open(listener: RequestListener, options = {}) {
  const server = createServer({ keepAliveTimeout: 60_000 })
  const limits = { maxConnections: 3, responseTimeoutMs: 60_000, trustProxy: 0 }
  const withLimits = limitConnections(server, { ...limits, ...options })
  server.on('request', withLimits(listener)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async connect(localAddress = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      // Wait until the server has also seen the connection.
      await Promise.all([once(server, 'connection'), once(socket, 'connect')])
      return socket
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    onRequest: (listener: () => void) => server.on('request', listener),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Resolves when the connection ends or is reset. */
const closeOf = (socket: Socket) => new Promise((done) => socket.on('close', done))

async function ask(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [chunk] = await once(socket, 'data')
  return String(chunk).slice(0, 15)
}

test('over the limit, the connection that has been idle longest is closed', async () => {
  await using server = await open((_request, response) => response.end())
  const [first, second, third] = [await server.connect(), await server.connect(), await server.connect()]
  await ask(first)
  const closed = closeOf(second.resume())

  const fourth = await server.connect()

  await closed
  expect(await Promise.all([first, third, fourth].map(ask))).toEqual(Array(3).fill('HTTP/1.1 200 OK'))
})

test('new connections of the same turn do not exceed the limit together', async () => {
  const server = createServer()
  limitConnections(server, { maxConnections: 3, responseTimeoutMs: 60_000, trustProxy: 0 })
  const accepted: Socket[] = []
  let most = 0
  server.on('connection', (socket) => {
    accepted.push(socket)
    most = Math.max(most, accepted.filter((each) => !each.destroyed).length)
  })
  const stop = await listen(server, { port: 0, host: '127.0.0.1' })
  const { port } = server.address() as AddressInfo
  const clients = Array.from({ length: 64 }, () => connect(port, '127.0.0.1').on('error', () => {}))

  await expect.poll(() => accepted.length).toBe(64)
  expect(most).toBe(3)
  for (const client of clients) client.destroy()
  await stop()
})

test('if a client does not read its response, its connection is closed', async () => {
  const size = 64 * 1024 * 1024
  await using server = await open((_request, response) => response.end(Buffer.alloc(size)), {
    responseTimeoutMs: 200,
  })
  const socket = await server.connect()
  await ask(socket)
  socket.pause()

  const closed = closeOf(socket)
  // After 500 ms, the server has closed the connection, so only data that was already in transit still arrives.
  setTimeout(() => socket.resume(), 500)

  await closed
  expect(socket.bytesRead).toBeLessThan(size)
})

const indexClosedWhenFourthConnects = async (trustProxy: number | string[]) => {
  await using server = await open((_request, response) => response.end(), { trustProxy })
  const sockets = []
  for (const address of ['127.0.0.2', '127.0.0.1', '127.0.0.1', '127.0.0.1'])
    sockets.push(await server.connect(address))
  const gone = await Promise.race(sockets.map((socket) => closeOf(socket.resume()).then(() => socket)))
  return sockets.indexOf(gone)
}

// Only Linux accepts connections from all of 127.0.0.0/8.
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('over the limit, the client with the most connections loses one', async () => {
  expect(await indexClosedWhenFourthConnects(0)).toBe(1)
})

test.runIf(isLinux)('a trusted proxy loses connections last', async () => {
  expect(await indexClosedWhenFourthConnects(['127.0.0.1/32'])).toBe(0)
  expect(await indexClosedWhenFourthConnects(['127.0.0.2', '::1/128'])).toBe(1)
})

// Both addresses are in `privateNetworks`, so both count as proxies, and their numbers of connections don't matter.
test.runIf(isLinux)('with TRUST_PROXY=1, the connection that has been idle longest is closed', async () => {
  expect(await indexClosedWhenFourthConnects(1)).toBe(0)
})

test.each([
  ['203.0.113.9', false],
  ['::ffff:203.0.113.9', false],
  ['2001:db8::1', false],
  ['172.32.0.1', false],
  ['', false],
  ['127.0.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::1', true],
  ['172.18.0.1', true],
  ['10.1.2.3', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['fd00::1', true],
  ['fe80::1%eth0', true],
])('with TRUST_PROXY=1, the proxy check of the address %j returns %j', (address, isProxy) => {
  expect([proxyCheck(1)(address), proxyCheck(0)(address)]).toEqual([isProxy, false])
})

test('if many clients connect at the same time, only as many connections as allowed stay open', async () => {
  await using server = await open((_request, response) => response.end())

  const sockets = await Promise.all(Array.from({ length: 9 }, () => server.connect()))
  await Promise.all(sockets.slice(0, -3).map((socket) => closeOf(socket.resume())))

  expect(await server.connections()).toBe(3)
})

test('a connection that pipelines too many requests is closed after a few responses', async () => {
  let responses = 0
  await using server = await open((_request, response) => {
    responses++
    response.end()
  })
  let parsed = 0
  server.onRequest(() => parsed++)
  const socket = await server.connect()

  const closed = closeOf(socket.resume())
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500))

  await closed
  expect([responses, parsed]).toEqual([16, 17])
})

test('the server can be stopped during a flood of pipelined requests', async () => {
  using folder = newDataDir()
  const program = await startProgram({ DATA_DIR: folder.path })
  const requests = (count: number) => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count)
  // The server reads at most 64 KiB at once. The last 14 requests come after that, while it is closing the connection.
  const packet = requests(12) + '\r\n'.repeat((65_536 - requests(12).length) / 2) + requests(14)
  const flood = setInterval(() => {
    for (let count = 0; count < 10; count++)
      connect({ port: program.port, host: '127.0.0.1' })
        .on('error', () => {})
        .resume()
        .end(packet.repeat(4))
  }, 10)

  await sleep(500)
  const code = await Promise.race([program.stop(), sleep(5000, 'still there')])
  clearInterval(flood)
  await program.stop('SIGKILL')

  expect(code).toBe(0)
}, 20_000)

test('sixteen pipelined requests all get a response', async () => {
  await using server = await open((_request, response) => response.end('x'))
  const socket = await server.connect()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })

  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16))

  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)?.length).toBe(16)
})
