import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newDataDir, startProgram } from '../proof/testing/start-program.ts'
import { holdConnections, proxyCheck } from './hold-connections.ts'

async function open(answer: RequestListener, options = {}) {
  const server = createServer({ keepAliveTimeout: 60_000 })
  const limits = { maxConnections: 3, responseTimeoutMs: 60_000, trustProxy: 0 }
  const held = holdConnections(server, { ...limits, ...options })
  server.on('request', held(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async connect(localAddress = '127.0.0.1') {
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
      // The server has seen it too, before the next one comes.
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
    responseTimeoutMs: 200,
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

const lostAtTheFourth = async (trustProxy: number | string[]) => {
  await using server = await open((_request, response) => response.end(), { trustProxy })
  const sockets = []
  for (const address of ['127.0.0.2', '127.0.0.1', '127.0.0.1', '127.0.0.1'])
    sockets.push(await server.connect(address))
  const gone = await Promise.race(sockets.map((socket) => goneFrom(socket.resume()).then(() => socket)))
  return sockets.indexOf(gone)
}

// Only Linux has the whole of 127.0.0.0/8.
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('beyond the bound whoever holds the most connections loses one', async () => {
  expect(await lostAtTheFourth(0)).toBe(1)
})

test.runIf(isLinux)('a trusted proxy keeps its connections while anybody else holds one', async () => {
  expect(await lostAtTheFourth(['127.0.0.1/32'])).toBe(0)
  expect(await lostAtTheFourth(['127.0.0.2', '::1/128'])).toBe(1)
})

test.runIf(isLinux)(
  'behind a number of proxies the longest waiting goes, for all come from proxies',
  async () => {
    expect(await lostAtTheFourth(1)).toBe(0)
  },
)

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
])('behind a number of proxies, %j counts as one of them: %j', (address, isProxy) => {
  expect([proxyCheck(1)(address), proxyCheck(0)(address)]).toEqual([isProxy, false])
})

test('beyond the bound one goes for each that comes, however many come at once', async () => {
  await using server = await open((_request, response) => response.end())

  const sockets = await Promise.all(Array.from({ length: 9 }, () => server.connect()))
  await Promise.all(sockets.slice(0, -3).map((socket) => goneFrom(socket.resume())))

  expect(await server.connections()).toBe(3)
})

test('a packet with too many requests costs no more than a few answers, and the connection', async () => {
  let answered = 0
  await using server = await open((_request, response) => {
    answered++
    response.end()
  })
  let parsed = 0
  server.onRequest(() => parsed++)
  const socket = await server.connect()

  const isGone = goneFrom(socket.resume())
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500))

  await isGone
  expect([answered, parsed]).toEqual([16, 17])
})

test('a process ends that is stopped while clients ask for too much', async () => {
  using folder = newDataDir()
  const program = await startProgram({ DATA_DIR: folder.path })
  const requests = (count: number) => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count)
  // The second part is what the program reads next, while the end of the connection is not done yet.
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

test('sixteen pipelined requests are all answered', async () => {
  await using server = await open((_request, response) => response.end('x'))
  const socket = await server.connect()
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })

  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16))

  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)?.length).toBe(16)
})
