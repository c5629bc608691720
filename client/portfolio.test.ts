import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { portfolio } from '#shared/business/portfolio.ts'

const publicDir = join(import.meta.dirname, 'brand/public')
const filesOf = (url: string) => readdirSync(join(publicDir, url)).map((name) => join(publicDir, url, name))

test.each(portfolio)('the $title site is no larger than its portfolio card claims', ({ url, results }) => {
  const bytes = filesOf(url).reduce((sum, file) => sum + statSync(file).size, 0)

  const claimed = results.find(({ figure }) => figure.endsWith(' kB'))?.figure
  expect(bytes).toBeLessThanOrEqual(Number.parseInt(claimed ?? '', 10) * 1024)
})

test.each(portfolio)('the $title site has no scripts, inline styles or external files', ({ url }) => {
  const page = readFileSync(join(publicDir, url, 'index.html'), 'utf8')

  expect(page).not.toMatch(/<script|style=|src="http|href="http/)
})

test.each(portfolio)('the $title site says that it is a sample', ({ url }) => {
  expect(readFileSync(join(publicDir, url, 'index.html'), 'utf8')).toContain('Sample site')
})
