import { errorFacts } from '../errors/error-facts.ts'
import { oneLine } from '../mail/mail-advice.ts'
import type { OAuth, Tokens } from '../mail/oauth.ts'
import { type Found, ok, problem } from './check.ts'

/**
 * What a token endpoint says, in the codes of RFC 6749 and of Microsoft, and what to do. The first
 * that matches counts.
 */
const advices: readonly [pattern: RegExp, advice: string][] = [
  [
    /AADSTS(?:90002|900023|90013|50059|700016)\b/,
    'Copy the "Directory (tenant) ID" of your app to OAUTH_TOKEN_URL, and its "Application (client) ID" to OAUTH_CLIENT_ID.',
  ],
  [
    /AADSTS(?:65001|65004|90094)\b|consent/i,
    'Give the app its permissions, and then press "Grant admin consent".',
  ],
  [
    /AADSTS(?:70011|1002012|500011)\b|invalid_scope/,
    'Set OAUTH_SCOPE to what your mail service expects; at Microsoft 365, https://outlook.office365.com/.default.',
  ],
  [
    /invalid_client/,
    'Copy OAUTH_CLIENT_ID again, and the value of the client secret, not its ID, to OAUTH_CLIENT_SECRET. If the secret has ended, make another one.',
  ],
  [
    /invalid_grant|unauthorized_client|unsupported_grant_type/,
    'The refresh token has ended, as it can after a restore, or is for another client: make another one, and set OAUTH_REFRESH_TOKEN.',
  ],
  [/: (?:429|5\d\d) /, 'Wait: the server tries again by itself. If this lasts, ask your mail service.'],
  [/no database/, 'Start the server once; it creates the database.'],
]

/** Asks for an access token, as the server does. */
export async function checkToken(tokens: Tokens, { tokenUrl }: OAuth): Promise<Found> {
  try {
    await tokens.get()
    return ok(`${new URL(tokenUrl).host} issues access tokens.`)
  } catch (error) {
    const reason = oneLine(errorFacts(error).message ?? String(error))
    const known = advices.find(([pattern]) => pattern.test(reason))
    return problem(
      reason,
      known?.[1] ?? 'Copy OAUTH_TOKEN_URL again. Perhaps a firewall blocks the way there.',
    )
  }
}
