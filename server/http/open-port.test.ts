import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openPort } from './open-port.ts'

const HOST = '127.0.0.1'

async function open() {
  const port = await openPort({ PORT: 0, HOST })
  onTestFinished(port.stop)
  return port
}

/** Sends bytes and returns everything that the server sends until it closes the connection. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, HOST)
  socket.write(bytes)
  return await text(socket).catch(() => 'reset')
}

test('a client that sends more than a thousand requests at once is cut off', async () => {
  const { number, serve } = await open()
  let requests = 0
  serve((_request, response) => response.end(`${++requests}`))

  await exchange(number, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500))

  expect(requests).toBe(1_000)
})
