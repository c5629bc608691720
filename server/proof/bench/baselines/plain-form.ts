import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { securityHeaders } from '../../../http/security-headers.ts'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Plain form</title>
<button popovertarget="menu">Menu</button>
<div id="menu" popover><a href="#form">Contact</a></div>
<form id="form">
<label>First name <input name="firstName"></label>
<label>Last name <input name="lastName"></label>
<label>Email <input name="email" type="email"></label>
<label>Message <textarea name="message"></textarea></label>
<button type="submit">Send</button>
<p id="answer"></p>
</form>
<script src="/form.js"></script>`

const script = `document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const response = await fetch('/send', { method: 'POST', body: new FormData(event.target) })
  document.querySelector('#answer').textContent = await response.text()
})`

/**
 * Serves a menu and a form without any styles or application, and with our security headers. What a touch or key costs here is
 * the browser's and the machine's part of the delay on our page.
 */
export async function servePlainForm() {
  const headers = securityHeaders({ isHttps: false })
  const bodies: Record<string, [type: string, body: string]> = {
    '/': ['text/html', page],
    '/form.js': ['text/javascript', script],
    '/send': ['text/plain', 'Q-0000-0000'],
  }
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = bodies[url] ?? ['text/plain', '']
    response.writeHead(body ? 200 : 404, { ...headers, 'Content-Type': type }).end(body)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  }
}
