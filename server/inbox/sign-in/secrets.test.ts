import { expect, test } from 'vitest'
import { CODE_ALPHABET } from '#shared/inbox/api.ts'
import { createKeyedHash } from '../../http/client-address.ts'
import { createCode, createToken, hashCode, hashToken } from './secrets.ts'

const keyedHash = createKeyedHash('a key')

test('codes have eight characters, and every character is equally likely', () => {
  const letters = Array.from({ length: 5_000 }, createCode).join('')

  expect(letters).toHaveLength(40_000)
  const expected = letters.length / CODE_ALPHABET.length
  for (const letter of CODE_ALPHABET) {
    const times = letters.split(letter).length - 1
    // This allows a difference of ten standard deviations.
    expect(Math.abs(times - expected)).toBeLessThan(10 * Math.sqrt(expected))
  }
})

test('a token has 256 bits, and its stored hash differs from it', () => {
  const token = createToken()

  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(hashToken(token)).not.toBe(token)
})

test("a code's hash depends on the cookie, so codes cannot be guessed from the database alone", () => {
  const [one, other] = ['one', 'other'].map((token) => hashCode(keyedHash, token, 'K7MF29QX'))

  expect(one).not.toBe(other)
})
