import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { manifestPath } from '#shared/inbox/api.ts'
import { buildTestApp, useTestApp } from '../proof/testing/build-test-app.ts'
import { exchange } from '../proof/testing/contact.ts'

const site = useTestApp({ siteUrl: 'https://roofs.example' })

const get = (path: string, headers: Record<string, string> = {}) =>
  request(site.app)
    .get(path)
    .set({ 'Accept-Encoding': 'identity', ...headers })

const raw = (path: string, acceptEncoding: string) =>
  exchange(site.app, { path, headers: { 'Accept-Encoding': acceptEncoding } })

test('the home page contains its public URL, and browsers revalidate it each time', async () => {
  const page = await get('/').expect(200)

  expect(page.text).toContain('href="https://roofs.example/"')
  expect(page.headers['cache-control']).toBe('no-cache')
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5', 'br'],
  ['identity', 'none'],
])('a browser that accepts %j gets the content encoding %s', async (accepted, coding) => {
  const { headers, body } = await raw('/', accepted)

  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[coding]
  expect(headers['content-encoding'] ?? 'none').toBe(coding)
  expect(headers.vary).toBe('Accept-Encoding')
  expect(String(decode ? decode(body) : body)).toContain('<h1>Home</h1>')
})

test('a browser that has the page in the same coding does not get it again, but always the 404 page', async () => {
  const { etag } = (await raw('/', 'br')).headers
  const ask = async (path: string, coding: string, etags = etag) =>
    (await get(path, { 'Accept-Encoding': coding, 'If-None-Match': `"another", ${etags}` })).status

  expect([await ask('/', 'br'), await ask('/', 'gzip')]).toEqual([304, 200])
  expect(await ask('/gone', 'br', (await raw('/gone', 'br')).headers.etag)).toBe(404)
})

test('the content security policy allows only the inlined style and script, by their hashes', async () => {
  const { headers } = await get('/')

  const hash = (text: string) => createHash('sha256').update(text).digest('base64')
  const policy = headers['content-security-policy']
  expect(policy).toContain(`style-src 'self' 'sha256-${hash('h1 { color: red }')}'`)
  expect(policy).toContain(`script-src 'self' 'sha256-${hash("document.title = 'Started'")}'`)
  expect(policy).not.toContain('unsafe')
  for (const rule of [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "connect-src 'self'",
  ])
    expect(policy).toContain(rule)
})

test('if the public URL is https, and only then, browsers are told to use https', async () => {
  await using plain = await buildTestApp({ siteUrl: 'http://localhost:3000' })

  const onHttp = await request(plain.app).get('/')
  const onHttps = await get('/')

  expect(onHttp.headers['strict-transport-security']).toBeUndefined()
  expect(onHttp.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  expect(onHttps.headers['strict-transport-security']).toContain('max-age=')
  // Subdomains are excluded, because some of them may not have TLS.
  expect(onHttps.headers['strict-transport-security']).not.toMatch(/subdomains/i)
  expect(onHttps.headers['content-security-policy']).toContain('upgrade-insecure-requests')
})

test('an unknown path gets the 404 page', async () => {
  for (const path of [
    '/no-such-page',
    '/healthz/',
    '/Healthz',
    '/index.html',
    '/inboxes',
    '/a/b?c=d',
    '/%E0%A4%A',
  ]) {
    const response = await get(path).expect(404)
    expect(response.text).toContain('Oops! Page not found')
  }
  expect((await get('/assets/gone').expect(404)).headers['content-type']).toContain('problem+json')
})

test('assets with a hash in their names can be cached forever, and are sent compressed', async () => {
  const plain = await get('/assets/app-123.js').expect(200)
  const { headers, body } = await raw('/assets/app-123.js', 'gzip')

  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['content-encoding']).toBe('gzip')
  expect(String(gunzipSync(body))).toContain('answer = 42')
  expect((await get('/file.txt')).headers['cache-control']).toBe('public, max-age=3600')
})

test('every response has the security headers and sets no cookie', async () => {
  const paths = ['/', '/gone', '/assets/app-123.js', '/assets/gone', '/healthz', contactPath]
  for (const path of paths) {
    const { headers } = await get(path)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining("require-trusted-types-for 'script'"),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
  }
})

test('a change of a page is refused, and an address that cannot be parsed, with no word about our software', async () => {
  const { headers } = await request(site.app).post('/gone').expect(405)
  expect(headers).toMatchObject({ allow: 'GET, HEAD', 'x-frame-options': 'DENY' })
  expect([headers['x-powered-by'], headers.etag]).toEqual([undefined, undefined])

  const unreadable = await exchange(site.app, { path: 'http://[::/' })
  expect(unreadable).toMatchObject({ status: 400, headers: { 'x-frame-options': 'DENY' } })
})

test.each(['//evil.example/x', '//\\evil.example', '/\\evil.example', '/../../../package.json'])(
  'at %j, there is neither a redirect to another site nor a file from outside the site',
  async (path) => {
    expect((await exchange(site.app, { path })).status).toBe(404)
  },
)

test('after the form is sent without JavaScript, the home page shows the reference and is not cached', async () => {
  const page = await get('/?sent=Q-7K3M-9QXD').expect(200)

  expect(page.text).toContain('<span id="sent-reference">Q-7K3M-9QXD</span>')
  expect(page.text.replace('Q-7K3M-9QXD', '')).toBe((await get('/')).text)
  expect((await get('/?sent=Q-7K3M-9QXD<b>')).text).toBe((await get('/')).text)
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  })
})

test.each([
  ['/robots.txt', 'text/plain', 'Disallow: /functions/\nDisallow: /inbox\nDisallow: /api\n'],
  ['/robots.txt', 'text/plain', 'Sitemap: https://roofs.example/sitemap.xml'],
  ['/sitemap.xml', 'application/xml', '<loc>https://roofs.example/</loc>'],
  ['/sitemap.xml', 'application/xml', '<loc>https://roofs.example/privacy</loc>'],
  ['/llms.txt', 'text/plain', '[Privacy](https://roofs.example/privacy)'],
  ['/llms.txt', 'text/plain', 'with JSON: firstName, lastName, email, message; optional '],
  ['/llms.txt', 'text/plain', 'https://roofs.example/functions/v1/send-contact-email'],
  ['/site.webmanifest', 'application/manifest+json', '/icon-512.png'],
  [manifestPath, 'application/manifest+json', '"start_url":"/inbox","scope":"/inbox","display":"standalone"'],
])('%s is served as %s and contains %s', async (path, type, text) => {
  const { status, headers, body } = await raw(path, 'identity')

  expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type])
  expect(String(body)).toContain(text)
})
