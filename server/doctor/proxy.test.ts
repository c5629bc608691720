import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { checkVisitors } from './proxy.ts'

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
