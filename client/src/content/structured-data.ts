import { brand, hours, plans } from '#shared/business/plans.ts'

const price = (name: string, dollars: number) => ({
  '@type': 'UnitPriceSpecification',
  name,
  price: dollars,
  priceCurrency: 'USD',
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
  makesOffer: plans.map(({ name, description, setupDollars, monthlyDollars }) => ({
    '@type': 'Offer',
    name,
    description,
    url: `${siteUrl}/#pricing`,
    priceSpecification: [
      price('One-time setup', setupDollars),
      { ...price('Monthly', monthlyDollars), unitCode: 'MON' },
    ],
  })),
})
