import { expect, test, vi } from 'vitest'
import { isPublicSite } from './apply-settings.ts'
import { createClientHash } from './client-address.ts'
import { createBoundedStore } from './flood-limit.ts'

test('the requests of each client are counted separately, and a full store forgets all clients', async () => {
  const store = createBoundedStore()
  store.init?.({ windowMs: 60_000 } as never)
  const hits: number[] = []
  const count = async (key: string) => hits.push((await store.increment(key)).totalHits)

  for (const key of ['a', 'a', 'b']) await count(key)
  for (let client = 2; client < 100_000; client++) await store.increment(String(client))
  for (const key of ['c', 'c', 'a']) await count(key)

  expect(hits).toEqual([1, 2, 1, 1, 2, 1])
})

test('each window ends after its time, also the second one', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const store = createBoundedStore()
  store.init?.({ windowMs: 60_000 } as never)
  const hits: number[] = []
  for (now of [0, 59_999, 60_000, 100_000, 120_000]) hits.push((await store.increment('a')).totalHits)

  expect(hits).toEqual([1, 2, 1, 2, 1])
})

const clientOf = createClientHash('a key')

const hashOf = (ip: string) => clientOf({ ip })

test('an IPv6 /56 is one client, and the next /56 is another', () => {
  expect(hashOf('2001:db8:1:100::1')).toBe(hashOf('2001:db8:1:1ff:ffff::2'))
  expect(hashOf('2001:db8:1:100::1')).not.toBe(hashOf('2001:db8:1:200::1'))
})

test('an IPv4-mapped address is the same client as the IPv4 address', () => {
  expect(hashOf('::ffff:192.0.2.1')).toBe(hashOf('192.0.2.1'))
  expect(hashOf('192.0.2.1')).not.toBe(hashOf('192.0.2.2'))
})

test('the hash depends on the key and does not contain the address', () => {
  expect(createClientHash('another key')({ ip: '192.0.2.1' })).not.toBe(hashOf('192.0.2.1'))
  expect(hashOf('192.0.2.1')).toMatch(/^[\w-]{22}$/)
})

test.each([
  [true, 'https://www.agency.com'],
  [true, 'https://agency.co.uk'],
  [true, 'http://agency.com:8080'],
  [true, 'https://localhost.com'],
  [true, 'https://www.bestexample.com'],
  [true, 'https://example.co'],
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
