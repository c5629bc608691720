import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

type Lie = {
  origin?: string
  rpId?: string
  /** Whether the device claims to have verified its user, for example by a fingerprint or PIN. */
  isVerified?: boolean
  userHandle?: string | null
}
type Options = { challenge: string }

const SITE = 'https://agency.example'
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40
const COSE = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3, EC2: 2, ES256: -7, P256: 1 }

/**
 * A WebAuthn authenticator with one passkey. It signs anything, even what a real device would
 * refuse.
 */
export function createAuthenticator() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  const device = { counter: 0, userId: '' }

  function clientData(type: string, { challenge }: Options, { origin = SITE }: Lie) {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  function authenticatorData(flags: number, { rpId = new URL(SITE).hostname, isVerified = true }: Lie) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const all = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter])
  }

  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [COSE.keyType, COSE.EC2],
      [COSE.algorithm, COSE.ES256],
      [COSE.curve, COSE.P256],
      [COSE.x, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [COSE.y, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ])
    return Buffer.from(isoCBOR.encode(key))
  }

  const credential = (response: Record<string, unknown>) => ({
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    device,
    id: base64url(id),

    /** Like `navigator.credentials.create`. */
    create(options: Options & { user: { id: string } }, lie: Lie = {}) {
      device.userId = options.user.id
      const authData = Buffer.concat([
        authenticatorData(HAS_CREDENTIAL, lie),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        coseKey(),
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', Uint8Array.from(authData)],
      ])
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', options, lie)),
        attestationObject: base64url(Buffer.from(isoCBOR.encode(attestation as never))),
        transports: ['internal', 'hybrid'],
      })
    },

    /** Like `navigator.credentials.get`. */
    get(options: Options, lie: Lie = {}) {
      const data = clientData('webauthn.get', options, lie)
      const authData = authenticatorData(0, lie)
      return credential({
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)),
        userHandle: lie.userHandle === undefined ? device.userId : lie.userHandle,
      })
    },
  }
}
