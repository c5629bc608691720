import { expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { postContact } from '../proof/testing/post-contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

test('forged forwarding headers do not make a new client', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const send = (message: string, address: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'X-Forwarded-For': address })

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 429])
})

test('behind a trusted proxy, each visitor is a client', async () => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: 1 })
  const send = (message: string, address: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'X-Forwarded-For': address })

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 200])
})

test.each([
  ['1.1.1.1:50001', '1.1.1.1:50002'],
  ['[2001:db8::1]:50001', '[2001:db8::1]:50002'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['9.9.9.9:1, 1.1.1.1:50001', '8.8.8.8:1,1.1.1.1:50002'],
  ['unknown:1, 1.1.1.1', 'unknown:2, 1.1.1.1'],
])('a port in the forwarded address does not make a new client: %s and %s', async (one, other) => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: 1 })
  const send = (message: string, address: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'X-Forwarded-For': address })

  expect([(await send('1', one)).status, (await send('2', other)).status]).toEqual([200, 429])
})

test('a trusted proxy listed with a port is still trusted', async () => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: ['127.0.0.0/8', '::1', '10.0.0.0/8'] })
  const send = (message: string, address: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'X-Forwarded-For': `${address}:1, 10.0.0.1:2` })

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 200])
})
