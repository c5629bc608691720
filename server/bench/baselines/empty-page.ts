import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { securityHeaders } from '../../http/security-headers.ts'

const page = (head: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>Almost empty</title><h1>Almost empty</h1>`

const answers: Record<string, { type: string; body: string }> = {
  '/': { type: 'text/html', body: page('') },
  '/with-script': { type: 'text/html', body: page('<script type="module" src="/first.js"></script>') },
  '/first.js': { type: 'text/javascript', body: 'document.documentElement.dataset.started = ""' },
}

/** A page with a line of text, alone or with a first script, under the headers of ours: they cost the browser something. */
export async function serveEmptyPage() {
  const headers = securityHeaders({ isHttps: false, styleHashes: [] })
  const server = createServer(({ url = '' }, response) => {
    const answer = answers[url]
    if (answer) response.writeHead(200, { ...headers, 'Content-Type': answer.type }).end(answer.body)
    else response.writeHead(404, headers).end()
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/`,
    withScript: `${origin}/with-script`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  }
}
