import { brand, promises } from '#shared/business.ts'
import { grounds } from '#shared/grounds.ts'
import { structuredData } from './structured-data.ts'

/** Stands for the public address, without a slash at its end; the server knows it when it starts. */
export const SITE_URL = '%SITE_URL%'

const title = `${brand.name}: ${brand.slogan.toLowerCase()}, for ${brand.audience}`
const description = `${brand.offer} for owners who would rather be on the job. Live in ${promises.buildTime}, ${promises.uptime} uptime, a free quote within ${promises.quote}.`

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
const name = (key: string, content: string) => `<meta name="${key}" content="${escapeHtml(content)}">`
const property = (key: string, content: string) => `<meta property="${key}" content="${escapeHtml(content)}">`

const onEveryPage = [
  ...Object.entries(grounds).map(
    ([scheme, color]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`,
  ),
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
]

export const homeHead = (): string =>
  [
    `<title>${escapeHtml(title)}</title>`,
    name('description', description),
    `<link rel="canonical" href="${SITE_URL}/">`,
    ...onEveryPage,
    property('og:type', 'website'),
    property('og:site_name', brand.name),
    property('og:title', title),
    property('og:description', description),
    property('og:url', `${SITE_URL}/`),
    property('og:image', `${SITE_URL}/og.png`),
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', `${brand.name}: ${brand.slogan.toLowerCase()}`),
    name('twitter:card', 'summary_large_image'),
    // Data, not a script: the policy of the site has nothing to say about it. "<" could end it early.
    `<script type="application/ld+json">${JSON.stringify(structuredData(SITE_URL)).replace(/</g, '\\u003c')}</script>`,
  ].join('')

export const notFoundHead = (): string =>
  [
    `<title>Page not found: ${escapeHtml(brand.name)}</title>`,
    name('robots', 'noindex'),
    ...onEveryPage,
  ].join('')
