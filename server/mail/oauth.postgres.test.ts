import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../database/postgres.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openTokenEndpoint } from '../proof/testing/token-endpoint.ts'
import { createTokens } from './oauth.ts'

const site = useTestApp()
const PAUSE_MS = 10_000
const ROUNDS = 20

test('replicas use each refresh token once, and always the newest, and each asks at most each 10 seconds', async () => {
  const refreshToken = 'refresh-token-0'
  const endpoint = await openTokenEndpoint({ refreshToken })
  const databases = [1, 2, 3].map(() => connect(String(site.env.DATABASE_URL), 'visitor'))
  onTestFinished(async () => {
    await Promise.all([endpoint[Symbol.asyncDispose](), ...databases.map((db) => db.destroy())])
  })
  const { state, url: tokenUrl } = endpoint
  const oauth = { tokenUrl, clientId: 'client', clientSecret: 'client-secret', refreshToken }
  const replicas = databases.map((db) => createTokens(oauth, { db, now: () => site.clock.now }))

  for (let round = 0; round < ROUNDS; round++) {
    const before = state.requests.length
    await Promise.allSettled(replicas.map((tokens) => tokens.get(true)))
    // In the pause.
    for (const tokens of replicas) await tokens.get(true).catch(() => {})
    expect(state.requests.length - before).toBeGreaterThanOrEqual(1)
    expect(state.requests.length - before).toBeLessThanOrEqual(replicas.length)
    site.advanceClock(PAUSE_MS)
  }
  // One that had to let another one go first gets a token later.
  for (const tokens of replicas) await tokens.get(true)

  const used = state.requests.map(({ body }) => body.refresh_token)
  expect(used).toEqual(used.map((_token, index) => `refresh-token-${index}`))
  expect(state.refused).toBe(0)
})
