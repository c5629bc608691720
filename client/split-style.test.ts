import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { splitStyle } from './split-style.ts'

test.each([
  ['h1{color:red}', 'h1{color:red}', ''],
  ['.hero-text{top:0}.footer-brand{top:1px}', '.hero-text{top:0}', '.footer-brand{top:1px}'],
  ['.contact-form-form .field-field{top:0}', '', '.contact-form-form .field-field{top:0}'],
  ['.footer-brand .mark-bob{top:0}', '.footer-brand .mark-bob{top:0}', ''],
  [
    '@media print{.hero-text{top:0}.footer-brand{top:1px}}',
    '@media print{.hero-text{top:0}}',
    '@media print{.footer-brand{top:1px}}',
  ],
  ['@keyframes a{to{top:0}}.footer-a{top:0}', '@keyframes a{to{top:0}}', '.footer-a{top:0}'],
  ['@keyframes footer__a{to{top:0}}', '', '@keyframes footer__a{to{top:0}}'],
])('from %s, the first view gets "%s", and the later file "%s"', (css, first, later) => {
  expect(splitStyle(css)).toEqual({ first, later })
})

const dist = fileURLToPath(import.meta.resolve('#dist'))
const read = (...path: string[]) => readFileSync(join(dist, ...path), 'utf8')
const styleOf = (page: string) => /<style>(.*?)<\/style>/s.exec(read('pages', page))?.[1] ?? ''

test('the home page contains the styles of its first view, and loads the rest from a file', () => {
  const [file = ''] = readdirSync(join(dist, 'site/assets')).filter((name) => /^later-.*\.css$/.test(name))
  const home = read('pages/home.html')

  expect(splitStyle(styleOf('privacy.html'))).toEqual({
    first: styleOf('home.html'),
    later: read('site/assets', file),
  })
  expect(home).toMatch(new RegExp(`<html [^>]*data-later-style="/assets/${file}"`))
  expect(home).toContain(`<noscript><link rel="stylesheet" href="/assets/${file}"></noscript>`)
})
