import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { securityHeaders } from '../../../http/security-headers.ts'

const head =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">'

const form = `${head}<title>Plain form</title>
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

const bodies: Record<string, [type: string, body: string]> = {
  '/empty': ['text/html', `${head}<title>Almost empty</title><h1>Almost empty</h1>`],
  '/form': ['text/html', form],
  '/form.js': ['text/javascript', script],
  '/send': ['text/plain', 'Q-0000-0000'],
}

/**
 * Serves `/empty`, a page with one line of text, and `/form`, a menu and a form without any styles or application. What these
 * cost is the browser's and the machine's part of the time that our page takes. They have our security headers, too, because
 * the browser takes time to apply them.
 */
export async function servePlainPages() {
  const headers = securityHeaders({ isHttps: false })
  const server = createServer(({ url = '' }, response) => {
    const [type, body] = bodies[url] ?? ['text/plain', '']
    response.writeHead(body ? 200 : 404, { ...headers, 'Content-Type': type }).end(body)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => server.close().closeAllConnections(),
  }
}
