import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { pages, sentParameter, sentReferenceId } from '#shared/pages.ts'
import { type Answer, prepareAnswer } from './prepared-answer.ts'

/** Reads the HTML that the build rendered and fills in the public address. */
export function loadPages(folder: string, siteUrl: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll('%SITE_URL%', siteUrl)
  const home = read('home.html')
  const notFound = read('not-found.html')

  return {
    home,
    notFound,
    /** The inlined style sheet of the home page, for the few pages that are made on the fly. */
    style: styleSheets(home)[0] ?? '',
    /** What the policy must name so that the inlined style sheets are applied and the inlined scripts run. */
    hashes: {
      styles: hash([...styleSheets(home), ...styleSheets(notFound)]),
      scripts: hash([...scripts(home), ...scripts(notFound)]),
    },
  }
}

const styleSheets = (html: string) =>
  [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style ?? '')

const scripts = (html: string) =>
  [...html.matchAll(/<script type="module">(.*?)<\/script>/gs)].map(([, script]) => script ?? '')

const hash = (inlined: string[]) =>
  [...new Set(inlined)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)

// The best takes 60 ms of the start for each page and makes it 9 % smaller than this, which takes 2 ms.
const QUICK_BROTLI = 7
// As much as a page has (64 kB): with the usual window the quick way keeps 8 MB.
const WINDOW_BITS = 16

/** A page from memory, with its compressed forms: the smallest for a page that is worth the time. */
export function preparePage(
  html: string,
  status: number,
  headers: OutgoingHttpHeaders,
  brotliQuality = QUICK_BROTLI,
): Answer {
  const identity = Buffer.from(html)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  }
  const forms = {
    identity,
    br: brotliCompressSync(identity, { params }),
    gzip: gzipSync(identity, { level: 9 }),
  }
  return prepareAnswer(
    forms,
    // Asked for anew each time (the answer is mostly 304), so that a new version is seen at once.
    { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' },
    status,
  )
}

// No other text: the address could come from anybody. The letters are those that references have.
const four = '[0-9A-HJKMNP-TV-Z]{4}'
const sentAddress = new RegExp(`^${pages.home}\\?${sentParameter}=(Q-${four}-${four})$`)

/**
 * The home page for those who sent the form without JavaScript, with the reference that their address names; nothing for
 * other addresses. Whole and not compressed: few ask for it, and it differs for each of them.
 */
export function prepareSentPage(home: string, headers: OutgoingHttpHeaders) {
  const place = new RegExp(`<span id="${sentReferenceId}">`).exec(home)
  const middle = place ? place.index + place[0].length : home.length
  const [start, end] = [Buffer.from(home.slice(0, middle)), Buffer.from(home.slice(middle))]

  return (url: string): Answer | undefined => {
    const [, reference] = sentAddress.exec(url) ?? []
    if (!reference) return undefined
    const text = Buffer.from(` Your reference is ${reference}.`)
    return (request, response) => {
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Length': start.length + text.length + end.length,
        'Cache-Control': 'no-store',
      })
      if (request.method === 'HEAD') return void response.end()
      // In pieces, so that all answers share the bytes of the page.
      response.write(start)
      response.write(text)
      response.end(end)
    }
  }
}
