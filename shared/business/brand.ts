import type { Brand } from '../fact-checks/facts.ts'

/** Facts about the agency: replace everything in this folder with your own. */
export const brand = {
  name: 'Plumbline',
  legalName: 'Plumbline Web Co.',
  /** The share image shows the slogan's last word in the accent color. */
  slogan: 'Websites built true',
  offer: 'Web design, SEO, hosting and support',
  audience: 'small and medium businesses',
  email: 'hello@plumbline.example',
  phone: '(614) 555-0142',
  /** The same number for a `tel:` link (RFC 3966). */
  phoneLink: '+16145550142',
  /** Who answers requests, such as "Jo Baker, owner". Left out while empty. */
  whoAnswers: '',
  city: 'Columbus',
  region: 'OH',
  /** ISO 3166 code. */
  country: 'US',
  /** How numbers and prices are written: a BCP 47 language tag and an ISO 4217 code. */
  locale: 'en-US',
  currency: 'USD',
} as const satisfies Brand
