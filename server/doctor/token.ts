import { errorFacts } from '../errors/error-facts.ts'
import { oneLine } from '../mail/mail-advice.ts'
import type { OAuth, Tokens } from '../mail/oauth.ts'
import { type Found, ok, problem } from './check.ts'

/** What a token endpoint says, in the codes of RFC 6749 and of Microsoft, and what to do. The first that matches counts. */
const advices: readonly [pattern: RegExp, advice: string][] = [
  [
    /AADSTS(?:90002|900023|90013|50059)\b/,
    'In OAUTH_TOKEN_URL, the tenant is wrong: copy the "Directory (tenant) ID" of your app.',
  ],
  [
    /AADSTS700016\b/,
    'Copy OAUTH_CLIENT_ID from the "Application (client) ID" of your app. It must be in the tenant of OAUTH_TOKEN_URL.',
  ],
  [/AADSTS7000222\b/, 'The client secret has ended: make another one, and set OAUTH_CLIENT_SECRET.'],
  [/AADSTS7000215\b/, 'Copy the value of the client secret to OAUTH_CLIENT_SECRET, not its ID.'],
  [
    /AADSTS(?:65001|65004|90094)\b|consent/i,
    'Give the app its permissions, and then press "Grant admin consent".',
  ],
  [
    /AADSTS(?:70011|1002012|500011)\b|invalid_scope/,
    'Set OAUTH_SCOPE to what your mail service expects; at Microsoft 365, https://outlook.office365.com/.default.',
  ],
  [
    /invalid_grant/,
    'The refresh token has ended, or was withdrawn: make another one, and set OAUTH_REFRESH_TOKEN.',
  ],
  [/invalid_client/, 'Copy OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET again from your mail service.'],
  [
    /unauthorized_client|unsupported_grant_type/,
    'This client may not get tokens in this way: a refresh token works only for the client it was made for.',
  ],
  [/\(429\)|\(5\d\d\)/, 'Wait: the server tries again by itself. If this lasts, ask your mail service.'],
  [
    /not that of a token endpoint|\(404\)/,
    'Copy OAUTH_TOKEN_URL again: what answers there is something else.',
  ],
]

/** Asks for an access token, as the server does. */
export async function checkToken(tokens: Tokens, { tokenUrl }: OAuth): Promise<Found> {
  try {
    await tokens.get()
    return ok(`${new URL(tokenUrl).host} issues access tokens.`)
  } catch (error) {
    const reason = oneLine(errorFacts(error).message ?? String(error))
    const [, advice = 'Check OAUTH_TOKEN_URL, and whether a firewall keeps this server from reaching it.'] =
      advices.find(([pattern]) => pattern.test(reason)) ?? []
    return problem(reason, advice)
  }
}
