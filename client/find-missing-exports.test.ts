import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMissingExports } from './find-missing-exports.ts'

const folder = mkdtempSync(join(tmpdir(), 'owner-'))
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
beforeAll(() => {
  write('client/brand/words/hero.ts', "export const title = 'Hello'\nexport type Size = number\n")
  write('shared/business/brand.ts', "export const brand = { name: 'Hillside' }\n")
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the files of this agency export everything that the program imports from them', () => {
  expect(findMissingExports(join(import.meta.dirname, '..'))).toEqual([])
})

test('the report lists each missing export and the file that needs it', () => {
  write(
    'client/src/hero.tsx',
    "import * as words from '../brand/words/hero.ts'\nexport const Hero = () => <p title={words.title}>{words.call(1)} {words.lead}</p>\n",
  )
  write(
    'shared/our-facts.ts',
    "import { brand, region } from './business/brand.ts'\nexport { brand, region }\n",
  )

  expect(findMissingExports(folder)).toEqual([
    'client/brand/words/hero.ts lacks what this version needs. Add, with your own values:\n  export const lead = ...    // for client/src/hero.tsx\n  export const call = ...    // for client/src/hero.tsx',
    'shared/business/brand.ts lacks what this version needs. Add, with your own values:\n  export const region = ...    // for shared/our-facts.ts',
  ])
})

test('missing types, and names in comments or strings, are not reported', () => {
  write(
    'client/src/hero.tsx',
    "import type { Width } from '../brand/words/hero.ts'\nimport * as words from '../brand/words/hero.ts'\n// Not words.call.\nexport const hero = (width: Width) => ['words.lead', words.title, width]\n",
  )
  write('shared/our-facts.ts', "export { brand } from './business/brand.ts'\n")

  expect(findMissingExports(folder)).toEqual([])
})
