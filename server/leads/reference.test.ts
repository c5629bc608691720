import { expect, test } from 'vitest'
import { createReference, readReference } from './reference.ts'

test.each(['Q-PAN0-X7PG', 'q-pan0-x7pg', 'Q-PAN0X7PG', 'qpan0x7pg', 'PAN0 X7PG', ' q pano-x7pg '])(
  '%j is read as Q-PAN0-X7PG',
  (typed) => {
    expect(readReference(typed)).toBe('Q-PAN0-X7PG')
  },
)

test.each([
  ['Q-OIL0-llio', 'Q-0110-1110'],
  ['q lily lilo', 'Q-111Y-1110'],
])('in %j, letters that look like digits are read as %s', (typed, reference) => {
  expect(readReference(typed)).toBe(reference)
})

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
