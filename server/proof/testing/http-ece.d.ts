declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'
  /** Decrypts a push message (RFC 8188). */
  export function decrypt(
    body: Buffer,
    keys: { version: string; privateKey: ECDH; authSecret: Buffer },
  ): Buffer
}
