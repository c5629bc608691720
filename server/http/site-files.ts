import type { RequestHandler } from 'express'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'
import { includedInAllPlans, promises } from '#facts/promises.ts'
import { contactFieldNames, contactFields, contactPath } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { formatMoney } from '#shared/money.ts'
import { pages } from '#shared/pages.ts'

/** The files that crawlers and browsers look for. Most of them contain the public URL. */
export const siteFiles = (siteUrl: string) => ({
  robots: file('text/plain', robots(siteUrl)),
  sitemap: file('application/xml', sitemap(siteUrl)),
  llms: file('text/plain', llms(siteUrl)),
  manifest: file('application/manifest+json', JSON.stringify(manifest)),
  inboxManifest: file('application/manifest+json', JSON.stringify(inboxManifest)),
})

const file =
  (type: string, text: string): RequestHandler =>
  (_request, response) => {
    response.type(type).set('Cache-Control', 'public, max-age=3600').send(text)
  }

const robots = (siteUrl: string) => `User-agent: *
Disallow: /functions/
Disallow: /inbox
Disallow: /api

Sitemap: ${siteUrl}/sitemap.xml
`

const sitemap = (siteUrl: string) => `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${Object.values(pages)
  .map((path) => `  <url><loc>${siteUrl}${path}</loc></url>`)
  .join('\n')}
</urlset>
`

/** The offer in plain Markdown, for language models (llmstxt.org). */
const llms = (siteUrl: string) => `# ${brand.name}

> ${brand.slogan}. ${brand.offer} for ${brand.audience}, from ${brand.city}, ${brand.region}. Sites are done in ${promises.buildTime}; a free quote comes within ${promises.quote}.

## Plans

${plans
  .map(
    ({ name, setup, monthly, size, hosting, features }) =>
      `- ${name}: ${formatMoney(setup)} once, then ${formatMoney(monthly)} a month. ${[size, hosting, ...features].join(', ')}.`,
  )
  .join('\n')}

All plans include: ${includedInAllPlans.map(({ name }) => name).join(', ')}.

## Contact

- [Quote form](${siteUrl}/#contact)
- Email: ${brand.email} (reply within ${promises.emailReply})
- Phone: ${brand.phone}, ${hours.text}. ${hours.emergency}.
- [Privacy](${siteUrl}${pages.privacy})
- By program: POST ${siteUrl}${contactPath} with JSON: ${fieldsThat({ required: true })}; optional ${fieldsThat({ required: false })}.
`

const fieldsThat = ({ required }: { required: boolean }) =>
  contactFieldNames.filter((field) => contactFields[field].required === required).join(', ')

const look = {
  background_color: colors.background[0],
  theme_color: colors.background[0],
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  })),
}

const manifest = {
  name: brand.legalName,
  short_name: brand.name,
  start_url: pages.home,
  display: 'browser',
  ...look,
}

/** Lets phones install the inbox. */
const inboxManifest = {
  name: `${brand.name} inbox`,
  short_name: 'Inbox',
  id: inboxPath,
  start_url: inboxPath,
  scope: inboxPath,
  display: 'standalone',
  ...look,
}
