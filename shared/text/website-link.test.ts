import { expect, test } from 'vitest'
import { contactSchema } from '../contact-request.ts'
import { websiteLink } from './website-link.ts'

const request = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' }
const site = 'https://example.com'

test.each([
  [site, site],
  ['http://example.com', 'http://example.com'],
  ['example.com', site],
  ['  example.com\u200e ', site],
  ['https://exam\u200bple.com', site],
  ['www.example.com', 'https://www.example.com'],
  ['example.com/about', 'https://example.com/about'],
  ['example.com?page=2', 'https://example.com?page=2'],
  ['example.com:8080', 'https://example.com:8080'],
  ['youtube.com/@ada', 'https://youtube.com/@ada'],
  ['facebook.com/profile.php?id=42', 'https://facebook.com/profile.php?id=42'],
  ['bäckerei-müller.example', 'https://bäckerei-müller.example'],
  ['пример.рф', 'https://пример.рф'],
])('the website %j is stored as %j, and can be a link', (typed, stored) => {
  expect(contactSchema.parse({ ...request, website: typed }).website).toBe(stored)
  expect(websiteLink(stored)).toBe(stored)
})

test.each([
  ...['none', 'n/a', '-', '@larkspurbakery', 'example.com and example.org', 'https://'],
  'example.com:99999',
  ...['https://localhost', 'https://user@example.com', 'https://\\user@example.com', 'ada@example.com'],
  ...['ftp://example.com', 'javascript:alert(1)', ''],
])('the website %j is stored as typed, without a link', (typed) => {
  expect(contactSchema.parse({ ...request, website: typed }).website).toBe(typed)
  expect(websiteLink(typed)).toBeNull()
})
