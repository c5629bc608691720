import { createHash, randomBytes, randomInt } from 'node:crypto'
import { CODE_ALPHABET, CODE_LENGTH } from '#shared/inbox/api.ts'

const TOKEN_BYTES = 32

/** A random value for a cookie or a link. */
export const createToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is stored of a token. It has 256 random bits, so nobody can guess it from its hash. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A random code for an email. */
export const createCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')

/** What is stored of a code. It depends on the cookie too, which isn't stored: a stolen database reveals no code. */
export const hashCode = (keyedHash: (text: string) => string, token: string, code: string): string =>
  keyedHash(`sign-in code ${token} ${code}`)
