import { expect, test } from 'vitest'
import { contactSchema } from './contact-request.ts'
import { websiteLink } from './website-link.ts'

const request = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' }
const site = 'https://example.com'

/** `true`: the stored text is the link. */
test.each<[string, string, boolean]>([
  ['https://example.com', site, true],
  ['http://example.com', 'http://example.com', true],
  ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM', true],
  ['example.com', site, true],
  ['  example.com\u200e ', site, true],
  ['https://exam\u200bple.com', site, true],
  ['\u202dexample.com\u202c', site, true],
  ['www.example.com', 'https://www.example.com', true],
  ['Example.Com', 'https://Example.Com', true],
  ['example.com/about', 'https://example.com/about', true],
  ['example.com/about us', 'https://example.com/about us', true],
  ['example.com?page=2', 'https://example.com?page=2', true],
  ['example.com#top', 'https://example.com#top', true],
  ['example.com:8080', 'https://example.com:8080', true],
  ['example.com.', 'https://example.com.', true],
  ['shop.example.co.uk', 'https://shop.example.co.uk', true],
  ['instagram.com/larkspurbakery', 'https://instagram.com/larkspurbakery', true],
  ['facebook.com/profile.php?id=42', 'https://facebook.com/profile.php?id=42', true],
  ['bäckerei-müller.example', 'https://bäckerei-müller.example', true],
  ['xn--bckerei-5wa.example', 'https://xn--bckerei-5wa.example', true],
  ['пример.рф', 'https://пример.рф', true],
  ['g.page/r/abc', 'https://g.page/r/abc', true],
  // Kept as typed, without a link.
  ['none', 'none', false],
  ['None yet', 'None yet', false],
  ['n/a', 'n/a', false],
  ['N/A', 'N/A', false],
  ['n.a.', 'n.a.', false],
  ['-', '-', false],
  ['.', '.', false],
  ['no', 'no', false],
  ['coming soon...', 'coming soon...', false],
  ['@larkspurbakery', '@larkspurbakery', false],
  ['Facebook: Larkspur Bakery', 'Facebook: Larkspur Bakery', false],
  ['Larkspur Bakery on Instagram', 'Larkspur Bakery on Instagram', false],
  ['example.com and example.org', 'example.com and example.org', false],
  ['example.com (being rebuilt)', 'example.com (being rebuilt)', false],
  ['https://', 'https://', false],
  ['http://none', 'http://none', false],
  ['https://localhost', 'https://localhost', false],
  ['https://https://example.com', 'https://https://example.com', false],
  ['https://user@example.com', 'https://user@example.com', false],
  ['https://bank.example@evil.example/', 'https://bank.example@evil.example/', false],
  ['http:\\\\user@example.com', 'http:\\\\user@example.com', false],
  ['ada@example.com', 'ada@example.com', false],
  ['ftp://example.com', 'ftp://example.com', false],
  ['javascript:alert(1)', 'javascript:alert(1)', false],
  ['version 2.0', 'version 2.0', false],
  ['', '', false],
])('the website %j is stored as %j; it is a link: %s', (typed, stored, isLink) => {
  expect(contactSchema.parse({ ...request, website: typed }).website).toBe(stored)
  expect(websiteLink(stored)).toBe(isLink ? stored : null)
})
