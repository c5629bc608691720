import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Sends a request and returns the raw response. supertest would add headers, join `chunks` and decompress the response. */
export async function exchange(
  app: RequestListener,
  options: RequestOptions,
  chunks: readonly string[] = [],
  end = true,
) {
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const client = request({ host: '127.0.0.1', port, agent: false, ...options })
    for (const chunk of chunks) client.write(chunk)
    if (end) client.end()
    else client.flushHeaders()
    const [response] = (await once(client, 'response')) as [IncomingMessage]
    const body = await buffer(response)
    client.on('error', () => {}).destroy()
    return { status: response.statusCode, headers: response.headers, body }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
