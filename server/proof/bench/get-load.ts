import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'

const acceptEncoding = 'br, gzip'

/** Gets one compressed response. Returns its body, its size on the wire, and its headers except those that Node.js adds. */
export async function getResponse(url: string) {
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
 * Gets a URL `amount` times and only counts the bytes. A load generator such as autocannon also parses each response. That
 * takes twice as long as our server needs to send it, so we would measure autocannon instead of our server.
 */
export async function getMany(url: string, { connections, amount }: { connections: number; amount: number }) {
  const { hostname, port, host, pathname } = new URL(url)
  const { bytes } = await getResponse(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${acceptEncoding}\r\n\r\n`
  let left = amount

  const talk = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      let missingBytes = 0
      const next = () => {
        if (left-- <= 0) return socket.end(done)
        missingBytes = bytes
        return socket.write(request)
      }
      socket.on('connect', next).on('error', fail)
      socket.on('close', () => fail(new Error(`${url} closed the connection`)))
      socket.on('data', (chunk) => {
        missingBytes -= chunk.length
        if (missingBytes < 0) fail(new Error(`${url} sent a different number of bytes than before`))
        if (missingBytes === 0) next()
      })
    })

  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, talk))
  return { rate: (amount * 1000) / (performance.now() - startedAt) }
}
