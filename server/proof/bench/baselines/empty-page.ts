import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { securityHeaders } from '../../../http/security-headers.ts'

const page =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Almost empty</title><h1>Almost empty</h1>'

/** Serves a page with one line of text, and with our security headers, because the browser takes time to apply them. */
export async function serveEmptyPage() {
  const headers = securityHeaders({ isHttps: false })
  const server = createServer(({ url }, response) => {
    if (url === '/') response.writeHead(200, { ...headers, 'Content-Type': 'text/html' }).end(page)
    else response.writeHead(404, headers).end()
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  }
}
