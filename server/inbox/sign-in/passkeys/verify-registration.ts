import { Buffer } from 'node:buffer'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { errorFacts } from '../../../error-facts.ts'
import { requireHost } from './challenges.ts'

/**
 * The signature algorithms EdDSA, ES256 and RS256, as COSE numbers. By default, the library would also
 * offer algorithms that are still experimental in Node.js.
 */
export const ALGORITHMS = [-8, -7, -257]
// Transports are ways to reach a passkey, such as "usb" or "nfc". Browsers know fewer than this.
const MAX_TRANSPORTS = 10

type Expected = { siteUrl: string; isOurChallenge: (challenge: string) => boolean }

/**
 * Verifies what the browser returned for a new passkey. Returns the columns to store, and the challenge. Throws if the
 * response is invalid.
 */
export async function verifyRegistration(
  response: RegistrationResponseJSON,
  { siteUrl, isOurChallenge }: Expected,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  await refuseCertificates(response)
  let challenge = ''
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge(given) {
      challenge = given
      return isOurChallenge(given)
    },
    expectedOrigin: siteUrl,
    expectedRPID: requireHost(siteUrl),
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('The attestation is invalid.')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    challenge,
    id,
    counter,
    public_key: Buffer.from(publicKey).toString('base64url'),
    transports: JSON.stringify(transportsOf(response)),
  }
}

/**
 * Throws if the response contains an attestation certificate. We don't ask for one, so browsers send none. If an attacker
 * sent one, the library would fetch a revocation list from whatever address the certificate names.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON) {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const statement = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')),
  ).get('attStmt')
  if (statement.get('x5c') !== undefined) throw new Error('The response contains an attestation certificate.')
}

const transportsOf = ({ response: { transports } }: RegistrationResponseJSON): string[] =>
  Array.isArray(transports)
    ? transports.filter((one) => /^[a-z-]{1,20}$/.test(String(one))).slice(0, MAX_TRANSPORTS)
    : []

/**
 * Why the passkey library rejected a passkey, for the log. Cuts the library's message at the first quotation mark, because
 * quoted text comes from the browser.
 */
export const reasonOf = (error: unknown): string => errorFacts(error).message?.split('"')[0]?.trim() ?? ''
