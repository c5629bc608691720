import { expect, test } from 'vitest'
import { createReference, readReference } from './reference.ts'

test.each(['Q-PAN0-X7PG', 'q-pan0-x7pg', 'Q-PAN0X7PG', 'qpan0x7pg', 'PAN0 X7PG', ' q pano-x7pg '])(
  'reads %j as Q-PAN0-X7PG',
  (typed) => {
    expect(readReference(typed)).toBe('Q-PAN0-X7PG')
  },
)

test('reads a reference that begins with Q', () => {
  expect(readReference('QQAB1-2345')).toBe('Q-QAB1-2345')
  expect(readReference('QAB12345')).toBe('Q-QAB1-2345')
})

test.each(['', 'Q-PAN0-X7P', 'Q-PAN0-X7PG1', 'Q-PANU-X7PG', 'ada@example.com', 'roof'])(
  '%j is not a reference',
  (typed) => {
    expect(readReference(typed)).toBeUndefined()
  },
)

test('reads every new reference', () => {
  for (let count = 0; count < 1000; count++) {
    const reference = createReference()
    expect(readReference(reference)).toBe(reference)
  }
})
