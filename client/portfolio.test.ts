import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { measured } from '#facts/measured.ts'
import { portfolio } from '#facts/portfolio.ts'

const publicDir = fileURLToPath(import.meta.resolve('#brand/public'))
const builtSite = join(fileURLToPath(import.meta.resolve('#dist')), 'site')
const builtPage = join(fileURLToPath(import.meta.resolve('#dist')), 'pages/home.html')

/** The files that a visitor to a sample site loads. */
const filesOf = (url: string) =>
  readdirSync(join(publicDir, url)).filter((name) => !name.endsWith('-license.txt'))

/**
 * How many bytes the server sends for a file. It sends the compressed file if the build has written
 * one.
 */
function sentBytes(path: string): number {
  const file = join(builtSite, path)
  return (statSync(`${file}.br`, { throwIfNoEntry: false }) ?? statSync(file)).size
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

test.each(portfolio)('the $title site loads as many kilobytes as its card says', ({ url, results }) => {
  const bytes = sum(filesOf(url).map((name) => sentBytes(join(url, name))))

  const claimed = results.find(({ figure }) => figure.endsWith(' kB'))?.figure
  expect(Math.ceil(bytes / 1000)).toBe(Number.parseInt(claimed ?? '', 10))
})

test.runIf(measured)('our page loads fewer kilobytes than we say, but at most 20 fewer', () => {
  const page = brotliCompressSync(readFileSync(builtPage)).length
  const assets = readdirSync(join(builtSite, 'assets')).filter(
    (name) => /\.(js|woff2)$/.test(name) && !name.startsWith('inbox'),
  )
  const kilobytes = (page + sum(assets.map((name) => sentBytes(join('assets', name))))) / 1000

  const claimed = measured?.kilobytes ?? Number.NaN
  expect(kilobytes).toBeLessThan(claimed)
  expect(kilobytes).toBeGreaterThan(claimed - 20)
})
