import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
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

test('a port that is in use is refused', async () => {
  const { number } = await open()

  await expect(openPort({ PORT: number, HOST })).rejects.toThrow('EADDRINUSE')
})

test('after the response to a chunked request, the connection is closed, even if the body never ends', async () => {
  const { number, serve } = await open()
  serve((_request, response) => response.end('ok'))

  const response = await exchange(
    number,
    'GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
  )

  expect(response).toContain('HTTP/1.1 200')
  expect(response).toContain('Connection: close')
})

test('a client that sends thousands of requests at once is cut off', async () => {
  const { number, serve } = await open()
  let requests = 0
  serve((_request, response) => response.end(`${++requests}`))

  await exchange(number, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(5_000))

  expect(requests).toBe(1_000)
})

test('a stop waits for the response to a running request, and then no connection is accepted', async () => {
  const port = await openPort({ PORT: 0, HOST })
  const url = `http://${HOST}:${port.number}`
  const response = fetch(url)
  const [, running] = (await once(
    port.serve(() => {}),
    'request',
  )) as [unknown, ServerResponse]

  const stopped = port.stop()
  running.end('finished')

  expect(await (await response).text()).toBe('finished')
  await stopped
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})
