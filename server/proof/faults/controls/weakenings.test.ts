import { expect, test } from 'vitest'
import { assertApplies, type Weakness, weakenings } from './weakenings.ts'

test.each(Object.keys(weakenings) as Weakness[])('all edits of "%s" match the source', (weakness) => {
  expect(() => assertApplies(weakness)).not.toThrow()
})
