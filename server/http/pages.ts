import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { pages, sentParameter, sentReferenceId } from '#shared/pages.ts'
import { applySettings, type PrivacySettings } from './apply-settings.ts'
import { isPublicSite } from './is-public-site.ts'
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
type Asked = { method: string; url: string; path?: string }
export type Pages = ReturnType<typeof preparePages>

/** Prepares the responses for all pages and files of the site. */
export function preparePages({ clientDir, siteUrl, privacy, hasInbox }: Options) {
  const folder = join(clientDir, 'pages')
  const loaded = loadPages(folder, siteUrl)
  const headers = securityHeaders({ isHttps: siteUrl.startsWith('https:'), hashes: loaded.hashes })
  const prepared = loadStaticFiles(join(clientDir, 'site'), headers)
  const preparePublic = (html: string) => preparePage(html, 200, headers, constants.BROTLI_MAX_QUALITY)
  prepared.set(pages.home, preparePublic(loaded.home))
  prepared.set(pages.privacy, preparePublic(applySettings(loaded.privacy, privacy)))
  // A plan's link selects its budget and shows its prices even without JavaScript.
  for (const budget of Object.keys(budgetTiers)) {
    const page = loaded.home
      .replace(`<option value="${budget}"`, '$& selected')
      .replaceAll(` data-plan="${budget}" hidden=""`, ` data-plan="${budget}"`)
    prepared.set(`${pages.home}?plan=${budget}`, preparePage(page, 200, headers))
  }
  const sentPage = prepareSentPage(loaded.home, headers)
  const inboxPage = hasInbox ? prepareInboxPage(folder, siteUrl) : undefined
  if (!inboxPage)
    for (const path of prepared.keys()) if (path.startsWith('/assets/inbox-')) prepared.delete(path)

  return {
    /** The headers of every response. */
    headers,
    style: loaded.style,
    notFound: preparePage(loaded.notFound, 404, headers),
    /** The response to a GET or HEAD request for a page or a file. */
    find: ({ method, url, path = url }: Asked): PreparedResponse | undefined =>
      isGetOrHead(method)
        ? (sentPage(url) ?? prepared.get(path) ?? (isInInbox(path) ? inboxPage : undefined))
        : undefined,
  }
}

export const isGetOrHead = (method: string): boolean => method === 'GET' || method === 'HEAD'

const isInInbox = (path: string) => path === inboxPath || path.startsWith(`${inboxPath}/`)

/** Reads the pages that the build rendered, and fills in the public URL. */
export function loadPages(folder: string, siteUrl: string) {
  const read = (name: string) => readPage(folder, name, siteUrl)
  const home = read('home.html')
  const privacy = read('privacy.html')
  const notFound = read('not-found.html')

  return {
    home,
    privacy,
    notFound,
    /** The home page's inlined style sheet, for pages that the server renders itself. */
    style: styleSheets(home)[0] ?? '',
    /** With these hashes, the Content-Security-Policy allows the inlined styles and scripts. */
    hashes: hashesOf(home, privacy, notFound),
  }
}

/** Prepares the inbox's page. It has its own Content-Security-Policy hashes, which keeps the public pages' headers short. */
export function prepareInboxPage(folder: string, siteUrl: string): PreparedResponse {
  const html = readPage(folder, 'inbox.html', siteUrl)
  const headers = securityHeaders({ isHttps: siteUrl.startsWith('https:'), hashes: hashesOf(html) })
  return preparePage(html, 200, { ...headers, 'X-Robots-Tag': 'noindex' })
}

function readPage(folder: string, name: string, siteUrl: string): string {
  const html = readFileSync(join(folder, name), 'utf8').replaceAll('%SITE_URL%', () => siteUrl)
  return isPublicSite(siteUrl) ? html : html.replace(publicOnly, '')
}

/** Paragraphs that make sense only if the site is public, such as a link to its PageSpeed test. */
const publicOnly = /<p data-public-only=.*?<\/p>/gs

const hashesOf = (...pages: string[]) => ({
  styles: hash(pages.flatMap(styleSheets)),
  scripts: hash(pages.flatMap(scripts)),
})

const styleSheets = (html: string) =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style ?? '')

const scripts = (html: string) =>
  [...html.matchAll(/<script type="module">(.*?)<\/script>/gs)].map(([, script]) => script ?? '')

const hash = (inlined: string[]) =>
  [...new Set(inlined)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)

// This quality takes 2 ms per page. The best quality takes 60 ms and makes a page only 9% smaller.
const QUICK_BROTLI = 7
// Brotli's window is 2^16 bytes (64 KiB), about the size of a page. The default window would need 8 MB of memory.
const WINDOW_BITS = 16

/** Prepares the response for a page, with its HTML already compressed. */
export function preparePage(
  html: string,
  status: number,
  headers: OutgoingHttpHeaders,
  brotliQuality = QUICK_BROTLI,
): PreparedResponse {
  const identity = Buffer.from(html)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  }
  const bodies = {
    identity,
    br: brotliCompressSync(identity, { params }),
    gzip: gzipSync(identity, { level: 9 }),
  }
  return prepareResponse(
    bodies,
    // With `no-cache`, browsers ask each time whether the page has changed, so visitors see a new version immediately.
    { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' },
    status,
  )
}

// Anyone can craft such a URL, so only text in the exact format of a reference may get into the page.
const four = '[0-9A-HJKMNP-TV-Z]{4}'
const sentAddress = new RegExp(`^${pages.home}\\?${sentParameter}=(Q-${four}-${four})$`)

/** Prepares the home page for visitors who have sent the form without JavaScript: it shows the reference from the URL. */
export function prepareSentPage(home: string, headers: OutgoingHttpHeaders) {
  const span = new RegExp(`<span id="${sentReferenceId}">`).exec(home)
  const insertAt = span ? span.index + span[0].length : home.length
  const [start, end] = [Buffer.from(home.slice(0, insertAt)), Buffer.from(home.slice(insertAt))]

  return (url: string): PreparedResponse | undefined => {
    const [, reference] = sentAddress.exec(url) ?? []
    if (!reference) return undefined
    const text = Buffer.from(reference)
    return (request, response) => {
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': start.length + text.length + end.length,
        'Cache-Control': 'no-store',
      })
      if (request.method === 'HEAD') return void response.end()
      // Written in three pieces, so that all responses share the bytes of the page.
      response.write(start)
      response.write(text)
      response.end(end)
    }
  }
}
