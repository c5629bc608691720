import { once } from 'node:events'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { apiPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp()

const LEADS = 30

/** Serves the inbox to an owner who has leads. The returned function reads a path, and keeps the body as it was sent. */
async function openInbox() {
  for (let index = 0; index < LEADS; index++) await site.submit({ message: `Message ${index}` })
  const { cookies } = await signIn(site)
  const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const server = createServer(site.app).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return async (path: string, accepted: string) => {
    const headers = { 'Accept-Encoding': accepted, Cookie }
    // `fetch` would decompress the body.
    const [response] = await once(get({ port, path: apiPath + path, headers }), 'response')
    const body = Buffer.concat(await response.toArray())
    return { status: response.statusCode, headers: response.headers, body }
  }
}

test('a list is compressed if the browser accepts that', async () => {
  const read = await openInbox()
  for (const [accepted, coding, decode] of [
    ['gzip, deflate, br, zstd', 'gzip', gunzipSync],
    ['gzip;q=0', undefined, (body: Buffer) => body],
    ['identity', undefined, (body: Buffer) => body],
  ] as const) {
    const { status, headers, body } = await read('/leads', accepted)

    expect([accepted, status, headers['content-encoding']]).toEqual([accepted, 200, coding])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    const plain = decode(body)
    expect(JSON.parse(plain.toString()).leads).toHaveLength(LEADS)
    if (coding) expect(body.length).toBeLessThan(plain.length / 4)
  }
})
