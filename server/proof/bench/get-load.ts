import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

const acceptEncoding = 'br, gzip'

/** One compressed answer as it goes over the wire: its headers but those of the moment, its body, its size in all. */
export async function answerOf(url: string) {
  const agent = new Agent({ keepAlive: true })
  const request = get(url, { agent, headers: { 'accept-encoding': acceptEncoding } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const body = await buffer(response)
  const { date, connection, 'keep-alive': keepAlive, ...headers } = response.headers
  const bytes = request.socket?.bytesRead ?? 0
  agent.destroy()
  return { headers, body: body.toString('base64'), bytes }
}

/**
 * Gets an address so many times. It counts the bytes and reads nothing: with autocannon, which parses every answer,
 * it is the load generator that is measured (it takes twice the time of our server).
 */
export async function getMany(url: string, { connections, amount }: { connections: number; amount: number }) {
  const { hostname, port, host, pathname } = new URL(url)
  const { bytes } = await answerOf(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${acceptEncoding}\r\n\r\n`
  let left = amount

  const talk = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      let awaited = 0
      const next = () => {
        if (left-- <= 0) return socket.end(done)
        awaited = bytes
        return socket.write(request)
      }
      socket.on('connect', next).on('error', fail)
      socket.on('close', () => fail(new Error(`${url} has hung up`)))
      socket.on('data', (chunk) => {
        awaited -= chunk.length
        if (awaited < 0) fail(new Error(`${url} answers with other bytes than before`))
        if (awaited === 0) next()
      })
    })

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, talk))
  return { rate: (amount * 1000) / (performance.now() - startedAt) }
}
