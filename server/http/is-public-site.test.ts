import { expect, test } from 'vitest'
import { isPublicSite } from './is-public-site.ts'

test.each([
  [true, 'https://www.agency.com'],
  [true, 'https://agency.co.uk'],
  [true, 'http://agency.com:8080'],
  [true, 'https://localhost.com'],
  [false, 'http://localhost:3000'],
  [false, 'http://web:3000'],
  [false, 'http://127.0.0.1:3000'],
  [false, 'http://192.168.1.20'],
  [false, 'http://[::1]:3000'],
  [false, 'https://shop.local'],
  [false, 'https://site.internal'],
  [false, 'https://www.example.com'],
  [false, 'https://agency.example'],
])('whether the whole internet can reach the site: %s for %s', (isPublic, siteUrl) => {
  expect(isPublicSite(siteUrl)).toBe(isPublic)
})
