import * as words from '#brand/words/pricing.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'

const price = (name: string, amount: number) => ({
  '@type': 'UnitPriceSpecification',
  name,
  price: amount,
  priceCurrency: brand.currency,
})

/** schema.org data for search engines. */
export const structuredData = (siteUrl: string) => ({
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
    description: words.descriptions[id],
    url: `${siteUrl}/#pricing`,
    priceSpecification: [price(words.setup, setup), { ...price(words.monthly, monthly), unitCode: 'MON' }],
  })),
})
