import type { Brand } from '#shared/facts.ts'

/** A made-up second agency, in another country and with other customers. The tests must pass with its facts, too. */
export const brand = {
  name: 'Hillside Web',
  legalName: 'Hillside Web Ltd',
  slogan: 'Shops that open early',
  offer: 'Web shops and booking pages',
  audience: 'cafés, makers and guesthouses',
  email: 'post@hillside.example',
  phone: '020 7946 0142',
  phoneLink: '+442079460142',
  city: 'London',
  region: 'Greater London',
  country: 'GB',
  locale: 'en-GB',
  currency: 'GBP',
} as const satisfies Brand
