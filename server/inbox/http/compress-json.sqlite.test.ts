import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { apiPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { signIn } from '../../proof/testing/owner-browser.ts'

const site = useTestApp()

const LEADS = 30

/** Requests a path as an owner who has leads. Returns the body as it was sent: `fetch` would decompress it. */
async function read(path: string, accepted: string) {
  for (let index = 0; index < LEADS; index++) await site.submit({ message: `Message ${index}` })
  const { cookies } = await signIn(site)
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const server = createServer(site.app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { 'Accept-Encoding': accepted, Cookie }
  const [response] = await once(get({ port, path: apiPath + path, headers }), 'response')
  const body = Buffer.concat(await response.toArray())
  server.close()
  return { status: response.statusCode, headers: response.headers, body }
}

test.each([
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['identity', undefined, (body: Buffer) => body],
])('a browser that accepts %s gets a list with Content-Encoding: %s', async (accepted, coding, decode) => {
  const { status, headers, body } = await read('/leads', accepted)

  expect([status, headers['content-encoding']]).toEqual([200, coding])
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    vary: expect.stringContaining('Accept-Encoding'),
  })
  const plain = decode(body)
  expect(JSON.parse(plain.toString()).leads).toHaveLength(LEADS)
  if (coding) expect(body.length).toBeLessThan(plain.length / 4)
})

test('a small response is not compressed', async () => {
  const { headers, body } = await read('/session', 'br')

  expect(headers['content-encoding']).toBeUndefined()
  expect(JSON.parse(body.toString())).toMatchObject({ owner: 'owner@agency.example' })
})
