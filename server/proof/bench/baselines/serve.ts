import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a baseline's server and sends its URL to the bench. */
export function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
}
