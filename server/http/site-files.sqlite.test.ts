import request from 'supertest'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'

const site = useTestApp({ siteUrl: 'https://roofs.example' })

test.each([
  ['/robots.txt', 'text/plain', 'Sitemap: https://roofs.example/sitemap.xml'],
  ['/sitemap.xml', 'application/xml', '<loc>https://roofs.example/</loc>'],
  ['/sitemap.xml', 'application/xml', '<loc>https://roofs.example/privacy</loc>'],
  ['/llms.txt', 'text/plain', '[Privacy](https://roofs.example/privacy)'],
  ['/llms.txt', 'text/plain', 'https://roofs.example/functions/v1/send-contact-email'],
  ['/site.webmanifest', 'application/manifest+json', '/icon-512.png'],
])('%s is served as %s and contains %s', async (path, type, text) => {
  const response = await request(site.app).get(path).buffer(true).parse(asText).expect(200)

  expect(response.type).toBe(type)
  expect(response.body).toContain(text)
})

const asText: Parameters<request.Test['parse']>[0] = (response, done) => {
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  response.on('end', () => done(null, text))
}
