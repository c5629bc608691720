import { expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { postContact } from '../proof/testing/post-contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

/** Sends one request for each forwarded address, with a limit of one request per client. Returns the statuses. */
async function statusesFor(trustProxy: number | string[], ...forwardedFor: string[]) {
  await using site = await buildTestApp({ limit: 1, trustProxy })
  const statuses: number[] = []
  for (const address of forwardedFor) {
    const message = `${statuses.length}`
    const [client = ''] = address.split(',')
    // No proxy is trusted to set the other headers.
    const response = await postContact(site.app, sampleRequest({ message }), {
      'X-Forwarded-For': address,
      'X-Real-IP': client,
      'X-Client-IP': client,
      'CF-Connecting-IP': client,
      'True-Client-IP': client,
      Forwarded: `for="${client}"`,
    })
    statuses.push(response.status)
  }
  return statuses
}

test('without a trusted proxy, forwarding headers do not turn a visitor into a new client', async () => {
  expect(await statusesFor(0, '1.1.1.1', '2.2.2.2')).toEqual([200, 429])
})

test('behind a trusted proxy, each visitor counts as a separate client', async () => {
  expect(await statusesFor(1, '1.1.1.1', '2.2.2.2')).toEqual([200, 200])
})

test.each([
  ['1.1.1.1:50001', '1.1.1.1:50002'],
  ['[2001:db8::1]:50001', '[2001:db8::1]:50002'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['9.9.9.9:1, 1.1.1.1:50001', '8.8.8.8:1,1.1.1.1:50002'],
  ['unknown:1, 1.1.1.1', 'unknown:2, 1.1.1.1'],
])('requests forwarded for %s and for %s count toward the same limit', async (one, other) => {
  expect(await statusesFor(1, one, other)).toEqual([200, 429])
})

test('a proxy is trusted even if its address is forwarded with a port', async () => {
  const proxies = ['127.0.0.0/8', '::1', '10.0.0.0/8']

  expect(await statusesFor(proxies, '1.1.1.1:1, 10.0.0.1:2', '2.2.2.2:1, 10.0.0.1:2')).toEqual([200, 200])
})

test.each([
  [0, 1],
  [['10.0.0.0/8'], 1],
  [1, 0],
])('with TRUST_PROXY=%j, a proxy on this machine is reported %i times', async (trustProxy, times) => {
  await using site = await buildTestApp({ trustProxy })
  for (const address of ['1.1.1.1', '2.2.2.2'])
    await postContact(site.app, sampleRequest({ message: address }), { 'X-Forwarded-For': address })

  expect(site.logLines.filter((line) => line.includes('a proxy is not in TRUST_PROXY'))).toHaveLength(times)
})
