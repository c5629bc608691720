import * as words from '#brand/words/head.ts'
import * as notFoundWords from '#brand/words/not-found.ts'
import * as pricing from '#brand/words/pricing.ts'
import * as privacyWords from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'
import { manifestPath } from '#shared/inbox/api.ts'
import { pages, SITE_URL } from '#shared/pages.ts'

const escapeHtml = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')
const name = (key: string, content: string) => `<meta name="${key}" content="${escapeHtml(content)}">`
const property = (key: string, content: string) => `<meta property="${key}" content="${escapeHtml(content)}">`

const themeColors = ['light', 'dark'].map(
  (scheme, theme) =>
    `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colors.background[theme]}">`,
)
const onEveryPage = [
  ...themeColors,
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
    // The CSP allows this element, because it contains data, not code. An unescaped "<" could close
    // the element.
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

export const inboxHead = (): string =>
  [
    `<title>Inbox: ${escapeHtml(brand.name)}</title>`,
    name('robots', 'noindex'),
    // Lets phones install the inbox, which iPhones need for push messages.
    `<link rel="manifest" href="${manifestPath}">`,
    ...themeColors,
  ].join('')

const price = (name: string, amount: number) => ({
  '@type': 'UnitPriceSpecification',
  name,
  price: amount,
  priceCurrency: brand.currency,
})

/** schema.org data for search engines. */
const structuredData = (siteUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ProfessionalService',
  '@id': `${siteUrl}/#agency`,
  name: brand.name,
  legalName: brand.legalName,
  slogan: brand.slogan,
  url: `${siteUrl}/`,
  logo: `${siteUrl}/icon-512.png`,
  image: `${siteUrl}/og.png`,
  email: brand.email,
  telephone: brand.phoneLink,
  address: {
    '@type': 'PostalAddress',
    addressLocality: brand.city,
    addressRegion: brand.region,
    addressCountry: brand.country,
  },
  areaServed: brand.country,
  openingHoursSpecification: {
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: hours.days,
    opens: hours.opens,
    closes: hours.closes,
  },
  makesOffer: plans.map(({ id, name, setup, monthly }) => ({
    '@type': 'Offer',
    name,
    description: pricing.descriptions[id],
    url: `${siteUrl}/#pricing`,
    priceSpecification: [
      price(pricing.setup, setup),
      { ...price(pricing.monthly, monthly), unitCode: 'MON' },
    ],
  })),
})
