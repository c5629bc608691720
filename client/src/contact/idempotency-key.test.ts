import { expect, test } from 'vitest'
import { createIdempotencyKeys } from './idempotency-key.ts'
import { createMemoryStorage, openBlockedStorage } from './memory-storage.ts'

/** Each call returns different but predictable bytes. */
function createRandomBytes() {
  let calls = 0
  return (count: number) => new Uint8Array(count).fill(++calls)
}

function setUp(openStorage = createMemoryStorage().openStorage) {
  return createIdempotencyKeys({ openStorage, randomBytes: createRandomBytes() })
}

test('a key is 32 hexadecimal digits', () => {
  expect(setUp().keyFor('hello')).toBe('01'.repeat(16))
})

test('the same content keeps its key', () => {
  const keys = setUp()

  expect(keys.keyFor('hello')).toBe(keys.keyFor('hello'))
})

test('different content gets a different key', () => {
  const keys = setUp()

  expect(keys.keyFor('hello')).not.toBe(keys.keyFor('hello again'))
})

test('once a request is confirmed, the same content gets a new key', () => {
  const keys = setUp()
  const first = keys.keyFor('hello')

  keys.forget()

  expect(keys.keyFor('hello')).not.toBe(first)
})

test('a key survives a reload of the page', () => {
  const { openStorage } = createMemoryStorage()
  const first = setUp(openStorage).keyFor('hello')

  const reloaded = createIdempotencyKeys({ openStorage, randomBytes: () => new Uint8Array(16) })

  expect(reloaded.keyFor('hello')).toBe(first)
})

test('without storage, a key lasts as long as the page', () => {
  const keys = setUp(openBlockedStorage)

  expect(keys.keyFor('hello')).toBe(keys.keyFor('hello'))
})
