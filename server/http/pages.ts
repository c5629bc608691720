import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { inboxPath, workerPath } from '#shared/inbox/api.ts'
import { pages, sentPanelId, sentParameter, sentReferenceId } from '#shared/pages.ts'
import { applySettings, type PrivacySettings } from './apply-settings.ts'
import { loadStaticFiles, type PreparedResponse, prepareResponse } from './prepared-response.ts'
import { securityHeaders } from './security-headers.ts'

type Options = {
  /** The output folder of the build, with `pages/` and `site/`. */
  clientDir: string
  siteUrl: string
  /** Settings that change the text of the privacy page. */
  privacy: PrivacySettings
  hasInbox: boolean
}

/** Prepares the responses for all pages and files of the site. */
export function preparePages({ clientDir, siteUrl, privacy, hasInbox }: Options) {
  const html = loadPages(join(clientDir, 'pages'), siteUrl, privacy)
  const headers = securityHeaders({
    isHttps: siteUrl.startsWith('https:'),
    hashes: hashesOf(Object.values(html).join()),
  })
  const prepared = loadStaticFiles(join(clientDir, 'site'), headers)
  prepared.set(pages.home, preparePage(html.home, headers, 200, constants.BROTLI_MAX_QUALITY))
  prepared.set(pages.privacy, preparePage(html.privacy, headers))
  // A plan's link selects its budget and shows its prices even without JavaScript.
  for (const budget of Object.keys(budgetTiers)) {
    const page = html.home
      .replace(`<option value="${budget}"`, '$& selected')
      .replaceAll(` data-plan="${budget}" hidden=""`, ` data-plan="${budget}"`)
    prepared.set(`${pages.home}?plan=${budget}`, preparePage(page, headers))
  }
  const policy = 'content-security-policy'
  const inboxHeaders = {
    ...headers,
    'X-Robots-Tag': 'noindex',
    // The inbox registers its service worker, and shows pictures that it has fetched.
    [policy]: String(headers[policy])
      .replace("trusted-types 'none'", 'trusted-types inbox-worker')
      .replace('data:', 'data: blob:'),
  }
  const inboxPage = hasInbox ? preparePage(html.inbox, inboxHeaders) : undefined
  if (!inboxPage)
    for (const path of prepared.keys())
      if (path.startsWith('/assets/inbox-') || path === workerPath) prepared.delete(path)

  return {
    /** The headers of every response. */
    headers,
    /** The home page's inlined style sheet, for pages that the server renders itself. */
    style: inlined(html.home, 'style')[0] ?? '',
    notFound: preparePage(html.notFound, headers, 404),
    /** The response to a GET or HEAD request for a page or a file. */
    find({ method = '', url = '' }: IncomingMessage): PreparedResponse | undefined {
      if (!isGetOrHead(method)) return undefined
      const [path = ''] = url.split('?')
      return (
        prepared.get(url) ??
        prepareSentPage(url, html.home, headers) ??
        prepared.get(path) ??
        (path === inboxPath || path.startsWith(`${inboxPath}/`) ? inboxPage : undefined)
      )
    },
  }
}

export const isGetOrHead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Reads the pages that the build rendered, and fills in the settings. */
function loadPages(folder: string, siteUrl: string, privacy: PrivacySettings) {
  const read = (name: string) => applySettings(readFileSync(join(folder, name), 'utf8'), siteUrl, privacy)
  return {
    home: read('home.html'),
    privacy: read('privacy.html'),
    notFound: read('not-found.html'),
    inbox: read('inbox.html'),
  }
}

/** With these hashes, the Content-Security-Policy allows the inlined styles and scripts. */
const hashesOf = (html: string) => ({
  styles: inlined(html, 'style').map(hash),
  scripts: inlined(html, 'script type="module"').map(hash),
})

/** The contents of the elements with this start tag, each only once. */
function inlined(html: string, tag: string): string[] {
  const elements = html.matchAll(new RegExp(`<${tag}>(.*?)</${tag.split(' ')[0]}>`, 'gs'))
  return [...new Set([...elements].map(([, content = '']) => content))]
}

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

// This quality takes 2 ms per page. The best quality takes 80 ms and makes a page only 9% smaller.
const QUICK_BROTLI = 7
// Brotli's window is 2^16 bytes (64 KiB), about the size of a page. The default window would need 8
// MB of memory.
const WINDOW_BITS = 16
const HTML = { 'Content-Type': 'text/html; charset=utf-8' }

/**
 * Prepares the response for a page. Its HTML is compressed when it is first requested, because all
 * pages would delay the start.
 */
function preparePage(
  html: string,
  headers: OutgoingHttpHeaders,
  status = 200,
  quality = QUICK_BROTLI,
): PreparedResponse {
  const identity = Buffer.from(html)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  }
  const prepare = () => {
    const bodies = { br: brotliCompressSync(identity, { params }), gzip: gzipSync(identity), identity }
    // With `no-cache`, browsers ask each time whether the page has changed, so visitors see a new
    // version immediately.
    return prepareResponse(bodies, { ...headers, ...HTML, 'Cache-Control': 'no-cache' }, status)
  }
  let prepared: PreparedResponse | undefined
  return (request, response) => {
    prepared ??= prepare()
    prepared(request, response)
  }
}

// Anyone can craft such a URL, so only text in the exact format of a reference may get into the
// page.
const four = '[0-9A-HJKMNP-TV-Z]{4}'
const sentAddress = new RegExp(`^${pages.home}\\?${sentParameter}=(Q-${four}-${four})$`)

/**
 * Prepares the home page for a visitor who has sent the form without JavaScript: it shows the
 * reference from the URL.
 */
function prepareSentPage(
  url: string,
  home: string,
  headers: OutgoingHttpHeaders,
): PreparedResponse | undefined {
  const [, reference] = sentAddress.exec(url) ?? []
  if (!reference) return undefined
  const page = home
    .replace(`id="${sentPanelId}" hidden=""`, `id="${sentPanelId}"`)
    .replace(`<span id="${sentReferenceId}">`, `$&${reference}`)
  return (_request, response) =>
    response.writeHead(200, { ...headers, ...HTML, 'Cache-Control': 'no-store' }).end(page)
}
