import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

const host = '127.0.0.1'

function openServer() {
  const server = createServer((_request, response) => response.end('ok'))
  return { server, portOf: () => (server.address() as AddressInfo).port }
}

test('every connection gets a response, whichever socket accepts it, and none after the stop', async () => {
  const { server, portOf } = openServer()
  const stop = await listen(server, { port: 0, host })
  const url = `http://${host}:${portOf()}`
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => fetch(url).then((each) => each.text())),
  )
  expect(responses).toEqual(Array.from({ length: 100 }, () => 'ok'))

  await stop()
  for (let attempt = 0; attempt < 100; attempt++)
    await expect(once(connect(Number(new URL(url).port), host), 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('a port that another server listens on is refused, also if that server shares it', async () => {
  const first = openServer()
  const stop = await listen(first.server, { port: 0, host })
  const second = openServer()
  await expect(listen(second.server, { port: first.portOf(), host })).rejects.toThrow('EADDRINUSE')
  expect(second.server.listening).toBe(false)
  await stop()
})

test.runIf(process.platform === 'linux')(
  'connections that arrive together are accepted several per turn',
  async () => {
    const { server, portOf } = openServer()
    const stop = await listen(server, { port: 0, host })
    let turns = 0
    let isOver = false
    const countTurns = () => {
      turns++
      if (!isOver) setImmediate(countTurns)
    }
    const clients = Array.from({ length: 64 }, () => connect(portOf(), host))
    const accepted = new Promise<void>((resolve) => {
      let count = 0
      server.on('connection', () => ++count === clients.length && resolve())
    })
    // The kernel accepts the connections while this thread is busy.
    await Promise.all(clients.map((client) => once(client, 'connect')))
    setImmediate(countTurns)
    await accepted
    isOver = true
    expect(turns).toBeLessThan(48)
    for (const client of clients) client.destroy()
    await stop()
  },
)
