import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { securityHeaders } from '../../../http/security-headers.ts'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Almost empty</title><h1>Almost empty</h1>`

/**
 * Serves a page with one line of text. What it costs is the browser's and the machine's part of the time that our page takes.
 * It has our security headers, too, because the browser takes time to apply them.
 */
export async function serveEmptyPage() {
  const headers = { ...securityHeaders({ isHttps: false }), 'Content-Type': 'text/html' }
  const server = createServer((_request, response) => response.writeHead(200, headers).end(page))
  await once(server.listen(0, 'localhost'), 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  }
}
