import * as words from '#brand/words/head.ts'
import * as notFoundWords from '#brand/words/not-found.ts'
import * as privacyWords from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { pages } from '#shared/pages.ts'
import { themeColors } from '#shared/theme-colors.ts'
import { structuredData } from './structured-data.ts'

/** Placeholder for the public URL without a trailing slash; the server fills it in at startup. */
export const SITE_URL = '%SITE_URL%'

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
const name = (key: string, content: string) => `<meta name="${key}" content="${escapeHtml(content)}">`
const property = (key: string, content: string) => `<meta property="${key}" content="${escapeHtml(content)}">`

const onEveryPage = [
  ...Object.entries(themeColors).map(
    ([scheme, color]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`,
  ),
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  '<link rel="manifest" href="/site.webmanifest">',
]

const describe = (path: string, title: string, description: string) => [
  `<title>${escapeHtml(title)}</title>`,
  name('description', description),
  `<link rel="canonical" href="${SITE_URL}${path}">`,
  ...onEveryPage,
  property('og:type', 'website'),
  property('og:site_name', brand.name),
  property('og:title', title),
  property('og:description', description),
  property('og:url', `${SITE_URL}${path}`),
]

export const homeHead = (): string =>
  [
    ...describe(pages.home, words.title, words.description),
    property('og:image', `${SITE_URL}/og.png`),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', words.imageText),
    name('twitter:card', 'summary_large_image'),
    // The CSP allows this element, because it contains data, not code. An unescaped "<" could close the element.
    `<script type="application/ld+json">${JSON.stringify(structuredData(SITE_URL)).replace(/</g, '\\u003c')}</script>`,
  ].join('')

export const privacyHead = (): string =>
  describe(pages.privacy, privacyWords.documentTitle, privacyWords.description).join('')

export const notFoundHead = (): string =>
  [
    `<title>${escapeHtml(notFoundWords.documentTitle)}</title>`,
    name('robots', 'noindex'),
    ...onEveryPage,
  ].join('')
