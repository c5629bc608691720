import { expect, test } from 'vitest'
import { isPublicSite } from './is-public-site.ts'

test.each([
  'https://www.agency.com',
  'https://agency.co.uk',
  'http://agency.com:8080',
  'https://localhost.com',
])('%s is public', (siteUrl) => {
  expect(isPublicSite(siteUrl)).toBe(true)
})

test.each([
  'http://localhost:3000',
  'http://web:3000',
  'http://127.0.0.1:3000',
  'http://192.168.1.20',
  'http://[::1]:3000',
  'https://shop.local',
  'https://site.internal',
  'https://www.example.com',
  'https://agency.example',
])('%s is not public', (siteUrl) => {
  expect(isPublicSite(siteUrl)).toBe(false)
})
