import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('what fails gives its turn back, too', async () => {
  const inTurn = createTurns(1)
  const fails = () => inTurn(() => Promise.reject(new Error('The mailbox is down.')))

  await expect(fails()).rejects.toThrow('The mailbox is down.')
  await expect(fails()).rejects.toThrow('The mailbox is down.')
  expect(await inTurn(async () => 'fetched')).toBe('fetched')
})
