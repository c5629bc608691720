import { createHash, randomBytes, randomInt } from 'node:crypto'
import { CODE_ALPHABET, CODE_LENGTH } from '#shared/inbox/api.ts'

const TOKEN_BYTES = 32

/** A random value for a cookie or a link. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** The stored hash of a token. A token has 256 random bits, so nobody can guess it from its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A random code for an email. */
export const createCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

/**
 * The stored hash of a code. It also depends on the token in the browser's cookie. The token isn't stored, so a stolen
 * database reveals no code.
 */
export const hashCode = (keyedHash: (text: string) => string, token: string, code: string): string =>
  keyedHash(`sign-in code ${token} ${code}`)
