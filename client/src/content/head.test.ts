import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'
import { SITE_URL } from '#shared/pages.ts'
import { homeHead, inboxHead, notFoundHead, privacyHead } from './head.ts'

const contentOf = (head: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"<]+)">`).exec(head)?.[1]
const canonicalOf = (head: string) => /<link rel="canonical" href="([^"]+)">/.exec(head)?.[1]

test.each([
  ['home', homeHead(), `${SITE_URL}/`],
  ['privacy', privacyHead(), `${SITE_URL}/privacy`],
])('search engines find the %s page at its address', (_name, head, url) => {
  expect([canonicalOf(head), contentOf(head, 'og:url')]).toEqual([url, url])
  expect(head).toMatch(/^<title>[^<]+<\/title>/)
  expect(contentOf(head, 'description')).toBe(contentOf(head, 'og:description'))
  expect(contentOf(head, 'robots')).toBeUndefined()
  for (const [theme, color] of Object.entries({ light: colors.background[0], dark: colors.background[1] }))
    expect(head).toContain(`media="(prefers-color-scheme: ${theme})" content="${color}"`)
})

test.each([
  ['a page that is not found', notFoundHead()],
  ['the inbox', inboxHead()],
])('search engines leave out %s', (_name, head) => {
  expect([contentOf(head, 'robots'), canonicalOf(head)]).toEqual(['noindex', undefined])
})

test('a shared link has a picture, and search engines get the facts', () => {
  const head = homeHead()
  expect(contentOf(head, 'og:image')).toBe(`${SITE_URL}/og.png`)
  const [, json = ''] = /<script type="application\/ld\+json">([^<]+)<\/script>$/.exec(head) ?? []

  const { makesOffer, ...agency } = JSON.parse(json)
  const { days, opens, closes } = hours
  expect(agency).toMatchObject({
    telephone: brand.phoneLink,
    email: brand.email,
    openingHoursSpecification: { dayOfWeek: days, opens, closes },
  })
  const prices = plans.map(({ setup, monthly }) => [setup, monthly])
  expect(
    makesOffer.map(({ priceSpecification }: { priceSpecification: { price: number }[] }) =>
      priceSpecification.map(({ price }) => price),
    ),
  ).toEqual(prices)
})
