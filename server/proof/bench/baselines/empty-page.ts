import { securityHeaders } from '../../../http/security-headers.ts'
import { serve } from '../../testing/contact.ts'

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Almost empty</title><h1>Almost empty</h1>`

/**
 * Serves a page with one line of text. What it costs is the browser's and the machine's part of the time that our page takes.
 * It has our security headers, too, because the browser takes time to apply them.
 */
export function serveEmptyPage() {
  const headers = { ...securityHeaders({ isHttps: false }), 'Content-Type': 'text/html' }
  return serve((_request, response) => response.writeHead(200, headers).end(page))
}
