import { expect, test } from 'vitest'
import { checkProxy } from './proxy.ts'

const env = { SITE_URL: 'https://www.agency.example', TRUST_PROXY: 1 as const }
const inDocker = { own: ['127.0.0.1', '172.18.0.2'], hosts: ['proxy'], has6: true }

/** What doctor says in a network with these addresses and names. */
async function check(
  { own, hosts, has6 }: typeof inDocker,
  settings: Parameters<typeof checkProxy>[0] = env,
) {
  const { state } = await checkProxy(settings, {
    ownAddresses: () => own,
    resolve6: async () => (has6 ? ['2001:db8::1'] : Promise.reject(new Error('ENODATA'))),
    lookup: async (name) => hosts.includes(name) || Promise.reject(new Error('ENOTFOUND')),
  })
  return state
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

test('the try-out on localhost gets no warning about IPv6', async () => {
  expect(await check(inDocker, { ...env, SITE_URL: 'https://localhost:8443' })).toBe('ok')
})
