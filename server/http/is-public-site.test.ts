import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measured } from '#facts/measured.ts'
import { isPublicSite } from './is-public-site.ts'
import { loadPages } from './pages.ts'

const pagesFolder = join(fileURLToPath(import.meta.resolve('#dist')), 'pages')

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

test.runIf(measured)(
  'the page links to the PageSpeed test of its own address only if that address is public',
  () => {
    const home = (siteUrl: string) =>
      loadPages(pagesFolder, siteUrl, { retentionDays: 365, postsLeads: false }).home
    const ofPublicSite = home('https://www.agency.com')
    const ofLocalSite = home('http://localhost:3000')

    expect(ofPublicSite).toContain('href="https://pagespeed.web.dev/analysis?url=https://www.agency.com/"')
    expect(ofLocalSite).not.toContain('pagespeed')
  },
)
