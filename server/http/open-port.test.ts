import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { openPort } from './open-port.ts'

test('a client that sends more than a hundred requests at once is cut off', async () => {
  const HOST = '127.0.0.1'
  const { number, serve, stop } = await openPort({ PORT: 0, HOST })
  onTestFinished(stop)
  let requests = 0
  serve((_request, response) => response.end(`${++requests}`))

  const socket = connect(number, HOST)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(150))
  // Until the server closes the connection.
  await text(socket).catch(() => 'reset')

  expect(requests).toBe(100)
})
