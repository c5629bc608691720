import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { portfolio } from '#facts/portfolio.ts'

const publicDir = fileURLToPath(import.meta.resolve('#brand/public'))

test.each(portfolio)('the font of the $title site is small and has its license beside it', ({ url }) => {
  const [font = '', ...others] = readdirSync(join(publicDir, url)).filter((name) => name.endsWith('.woff2'))

  expect(others).toEqual([])
  expect(statSync(join(publicDir, url, font)).size).toBeLessThanOrEqual(20_000)
  expect(readFileSync(join(publicDir, url, 'font-license.txt'), 'utf8')).toContain('SIL Open Font License')
})

test.each(portfolio)(
  'the $title site says that it is a sample and has only phone numbers reserved for fiction',
  ({ url }) => {
    const page = readFileSync(join(publicDir, url, 'index.html'), 'utf8')
    const numbers = page.match(/\(\d{3}\) \d{3}-\d{4}|\+1\d{10}/g) ?? []

    expect(page).toContain('Sample site')
    expect(page).toContain('are made up')
    expect(numbers.length).toBeGreaterThan(3)
    for (const number of numbers) expect(number).toMatch(/555-?01\d\d$/)
  },
)
