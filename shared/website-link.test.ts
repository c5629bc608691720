import { expect, test } from 'vitest'
import { contactSchema } from './contact-request.ts'
import { websiteLink } from './website-link.ts'

const request = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' }
const site = 'https://example.com'

/** `true`: the stored text is the link. */
test.each<[string, string, boolean]>([
  ['https://example.com', site, true],
  ['http://example.com', 'http://example.com', true],
  ['example.com', site, true],
  ['  example.com\u200e ', site, true],
  ['https://exam\u200bple.com', site, true],
  ['www.example.com', 'https://www.example.com', true],
  ['example.com/about', 'https://example.com/about', true],
  ['example.com?page=2', 'https://example.com?page=2', true],
  ['example.com:8080', 'https://example.com:8080', true],
  ['facebook.com/profile.php?id=42', 'https://facebook.com/profile.php?id=42', true],
  ['bäckerei-müller.example', 'https://bäckerei-müller.example', true],
  ['пример.рф', 'https://пример.рф', true],
  // Kept as typed, without a link.
  ['none', 'none', false],
  ['n/a', 'n/a', false],
  ['-', '-', false],
  ['@larkspurbakery', '@larkspurbakery', false],
  ['example.com and example.org', 'example.com and example.org', false],
  ['https://', 'https://', false],
  ['https://localhost', 'https://localhost', false],
  ['https://user@example.com', 'https://user@example.com', false],
  ['http:\\\\user@example.com', 'http:\\\\user@example.com', false],
  ['ada@example.com', 'ada@example.com', false],
  ['ftp://example.com', 'ftp://example.com', false],
  ['javascript:alert(1)', 'javascript:alert(1)', false],
  ['', '', false],
])('the website %j is stored as %j; it is a link: %s', (typed, stored, isLink) => {
  expect(contactSchema.parse({ ...request, website: typed }).website).toBe(stored)
  expect(websiteLink(stored)).toBe(isLink ? stored : null)
})
