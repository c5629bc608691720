import { expect, onTestFinished, test } from 'vitest'
import { createTokens } from '../mail/oauth.ts'
import { openTokenEndpoint } from '../proof/testing/token-endpoint.ts'
import { checkToken } from './token.ts'

async function check(status?: number, body?: unknown, changed: Record<string, string> = {}) {
  const endpoint = await openTokenEndpoint()
  onTestFinished(() => endpoint[Symbol.asyncDispose]())
  endpoint.state.refusal = status === undefined ? undefined : { status, body }
  const oauth = { tokenUrl: endpoint.url, clientId: 'c', clientSecret: 's', ...changed }
  return checkToken(createTokens(oauth, { db: undefined, now: () => new Date() }), oauth)
}

test('an endpoint that issues tokens is ok', async () => {
  expect(await check()).toMatchObject({ state: 'ok', seen: expect.stringContaining('issues access tokens') })
})

test.each([
  ['AADSTS90002: Tenant not found.', 'invalid_request', /tenant\) ID.*OAUTH_TOKEN_URL/],
  ['AADSTS700016: Application not found.', 'unauthorized_client', /client\) ID.*OAUTH_CLIENT_ID/],
  ['AADSTS7000222: The secret keys are expired.', 'invalid_client', /secret has ended/],
  [
    'AADSTS7000215: Invalid client secret provided.',
    'invalid_client',
    /value of the client secret, not its ID/,
  ],
  ['AADSTS65001: The user has not consented.', 'invalid_grant', /Grant admin consent/],
  ['AADSTS1002012: The scope is not valid.', 'invalid_request', /OAUTH_SCOPE/],
  ['AADSTS70011: The scope is not valid.', 'invalid_scope', /OAUTH_SCOPE/],
  ['Token has been expired or revoked.', 'invalid_grant', /after a restore.*make another one/],
  ['Unauthorized', 'invalid_client', /OAUTH_CLIENT_ID .* OAUTH_CLIENT_SECRET/],
  ['', 'unauthorized_client', /is for another client/],
])('the refusal "%s" (%s) is explained', async (error_description, error, advice) => {
  expect(await check(400, { error, error_description })).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining(error),
    advice: expect.stringMatching(advice),
  })
})

test.each([
  [429, { error: 'slow_down' }, /Wait/],
  [503, 'down', /Wait/],
  [200, '<html>', /Copy OAUTH_TOKEN_URL/],
  [404, '', /Copy OAUTH_TOKEN_URL/],
])('the answer %s %j is explained', async (status, body, advice) => {
  expect(await check(status, body)).toMatchObject({ state: 'problem', advice: expect.stringMatching(advice) })
})

test('an endpoint that cannot be reached, and a database that is missing, are named', async () => {
  expect(await check(undefined, undefined, { tokenUrl: 'http://127.0.0.1:1/' })).toMatchObject({
    state: 'problem',
    advice: expect.stringContaining('firewall'),
  })
  expect(await check(undefined, undefined, { refreshToken: 'r' })).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('no database yet'),
    advice: 'Start the server once; it creates the database.',
  })
})
