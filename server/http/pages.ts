import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

type Page = { etag: string; forms: Record<'br' | 'gzip' | 'identity', Buffer> }
export type Pages = ReturnType<typeof loadPages>

/** Reads the HTML that the build rendered, fills in the public address and keeps every compressed form in memory. */
export function loadPages(folder: string, siteUrl: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll('%SITE_URL%', siteUrl)
  const home = read('home.html')
  const notFound = read('not-found.html')
  const styles = [...new Set([...styleSheets(home), ...styleSheets(notFound)])]

  return {
    home: compress(home),
    notFound: compress(notFound),
    /** The inlined style sheet of the home page, for the few pages that are made on the fly. */
    style: styleSheets(home)[0] ?? '',
    styleHashes: styles.map((style) => `sha256-${createHash('sha256').update(style).digest('base64')}`),
  }
}

const styleSheets = (html: string) =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style ?? '')

function compress(html: string): Page {
  const identity = Buffer.from(html)
  return {
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    forms: { br: brotliCompressSync(identity), gzip: gzipSync(identity, { level: 9 }), identity },
  }
}

/**
 * Answers with a page from memory in the best form that the browser takes. It writes to the bare response, with
 * headers made once: behind the usual middleware the same answer costs twice as much.
 */
export function createPageResponder(page: Page, status: number, baseHeaders: OutgoingHttpHeaders) {
  const headersOf = (form: keyof Page['forms']) => ({
    ...baseHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    // Always asked for anew (the answer is mostly 304), so that a new version is seen at once.
    'Cache-Control': 'no-cache',
    Vary: 'Accept-Encoding',
    ETag: `"${page.etag}-${form}"`,
    ...(form !== 'identity' && { 'Content-Encoding': form }),
  })
  const headers = { br: headersOf('br'), gzip: headersOf('gzip'), identity: headersOf('identity') }

  return function respond(request: IncomingMessage, response: ServerResponse): void {
    const form = acceptedForm(request.headers['accept-encoding'])
    if (status === 200 && request.headers['if-none-match']?.includes(headers[form].ETag)) {
      response.writeHead(304, headers[form]).end()
      return
    }
    const body = page.forms[form]
    response.writeHead(status, { ...headers[form], 'Content-Length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

/** Brotli before gzip; a coding with `q=0` is refused by the browser (RFC 9110, 12.5.3). */
function acceptedForm(acceptEncoding = ''): 'br' | 'gzip' | 'identity' {
  const accepts = (coding: string) =>
    acceptEncoding.includes(coding) &&
    new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[^,]*)?(?:,|$)`, 'i').test(
      acceptEncoding,
    )
  if (accepts('br')) return 'br'
  return accepts('gzip') ? 'gzip' : 'identity'
}
