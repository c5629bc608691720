import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { favicon } from './icons.ts'

const read = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`#brand/public/${name}`)))

test('favicon.svg is what `npm run brand` draws from the name, the logo and the colors', () => {
  expect(read('favicon.svg').toString()).toBe(favicon)
  expect(favicon).toContain(`<title>${brand.name.replaceAll('&', '&amp;')}</title>`)
})
