import { expect, test } from 'vitest'
import { assertApplies, type Weakness, weaken, weakenings } from './weakenings.ts'

test.each(Object.keys(weakenings) as Weakness[])('all edits of "%s" match the source', (weakness) => {
  expect(() => assertApplies(weakness)).not.toThrow()
})

test('the error for a changed source line says what to do', () => {
  const weakening = { file: 'server/main.ts', from: 'old line', to: '' }

  expect(() => weaken('new line', weakening)).toThrow(
    /server\/main\.ts .* 0 times: old line\n.*update server\/proof/,
  )
  expect(() => weaken('old line, old line', weakening)).toThrow(/2 times/)
})
