import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { checkProxy, checkVisitors } from './proxy.ts'

const env = { SITE_URL: 'https://www.agency.example', TRUST_PROXY: 1 as const }
const inDocker = { own: ['127.0.0.1', '172.18.0.2'], hosts: ['proxy'], has6: true }

/** What doctor says in a network with these addresses and names. */
async function check(
  { own, hosts, has6 }: typeof inDocker,
  settings: { SITE_URL?: string; TRUST_PROXY: number } = env,
) {
  const dns = {
    resolve6: async () => (has6 ? ['2001:db8::1'] : Promise.reject(new Error('ENODATA'))),
    lookup: async (name: string) => hosts.includes(name) || Promise.reject(new Error('ENOTFOUND')),
  }
  const found = await checkProxy(settings as never, { ownAddresses: own, dns: dns as never })
  return [found].flat()[0]?.state ?? 'ok'
}

test.each([
  ['warning', 'the included proxy, and no IPv6 in the containers', {}],
  ['warning', 'the load balancer', { hosts: ['balancer'] }],
  ['warning', 'only link-local IPv6', { own: ['::1', 'fe80::1', '172.18.0.2'] }],
  ['ok', 'IPv6 in the containers', { own: ['172.18.0.2', 'fd00::2'] }],
  ['ok', 'a proxy outside the containers', { hosts: [] }],
  ['ok', 'a site without an IPv6 address', { has6: false }],
])('doctor says %s about visitors over IPv6 with %s', async (state, _what, changes) => {
  expect(await check({ ...inDocker, ...changes })).toBe(state)
})

const site = useTestApp()

/** Stores requests of these clients, with different content. */
async function submit(...clients: string[]) {
  for (const client of clients)
    await site.submitLead(sampleRequest({ message: randomUUID() }), { client, idempotencyKey: null })
}

test('doctor claims that visitors have addresses of their own only if they have', async () => {
  expect(await checkVisitors(site.db)).toMatchObject({ state: 'ok', seen: expect.stringMatching(/^Too few/) })

  await submit(...Array(5).fill('proxy'))
  expect(await checkVisitors(site.db)).toMatchObject({
    state: 'problem',
    seen: 'All 5 requests of the last day seem to come from one address, so visitors share one rate limit.',
    advice: expect.stringContaining('TRUST_PROXY'),
  })

  await submit('a visitor')
  expect(await checkVisitors(site.db)).toMatchObject({
    state: 'ok',
    seen: 'The requests of the last day came from 2 addresses.',
  })
})
