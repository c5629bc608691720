import { expect, test } from 'vitest'
import { createReference, readReference } from './reference.ts'

test.each(['Q-PAN0-X7PG', 'q-pan0-x7pg', 'Q-PAN0X7PG', 'qpan0x7pg', 'PAN0 X7PG', ' q pano-x7pg '])(
  '%j is read as Q-PAN0-X7PG',
  (typed) => {
    expect(readReference(typed)).toBe('Q-PAN0-X7PG')
  },
)

test.each(['', 'Q-PAN0-X7P', 'Q-PAN0-X7PG1', 'Q-PANU-X7PG', 'ada@example.com', 'roof'])(
  '%j is not a reference',
  (typed) => {
    expect(readReference(typed)).toBeUndefined()
  },
)

test('every new reference can be read', () => {
  for (let count = 0; count < 1000; count++) {
    const reference = createReference()
    expect(readReference(reference)).toBe(reference)
  }
})
