import { expect, test } from 'vitest'
import { createBoundedStore } from './flood-limit.ts'

function open(maxClients: number) {
  const store = createBoundedStore(maxClients)
  store.init?.({ windowMs: 60_000 } as never)
  return async (key: string) => (await store.increment(key)).totalHits
}

test('the requests of each client are counted separately', async () => {
  const hit = open(10)

  expect([await hit('a'), await hit('a'), await hit('b')]).toEqual([1, 2, 1])
})

test('a full store forgets all clients', async () => {
  const hit = open(2)
  for (const key of ['a', 'a', 'b']) await hit(key)

  expect([await hit('c'), await hit('c'), await hit('a')]).toEqual([1, 2, 1])
})
