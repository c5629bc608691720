import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newerApis, usedApis } from './e2e/newer-apis.ts'

const dist = fileURLToPath(import.meta.resolve('#dist'))
const read = (folder: string, name: RegExp) =>
  readdirSync(`${dist}/${folder}`)
    .filter((file) => name.test(file))
    .map((file) => readFileSync(`${dist}/${folder}/${file}`, 'utf8'))
const pages = read('pages', /\.html$/)
const scripts = [...read('site/assets', /\.js$/), ...pages].join('\n')
const inlineStyles = pages.flatMap((page) => page.match(/<style>.*?<\/style>/gs) ?? [])
const styles = [...read('site/assets', /\.css$/), ...read('site', /\.css$/), ...inlineStyles].join('\n')

/**
 * Whether a script mentions a static function (`X.y`), a method (`.y`), a global (`.y`, `new y`),
 * or tests one (`"y" in`).
 */
function isUsed(api: string): boolean {
  const [owner = '', name = owner] = api.split(/\.(?:prototype\.)?/)
  const isStatic = name !== owner && !api.includes('prototype')
  const forms = isStatic
    ? `(?:\\b${owner}|\\?)\\.${name}\\b`
    : `[.?]${name}\\b|new ${name}\\b|[\`'"]${name}[\`'"] ?in\\b`
  return new RegExp(forms).test(scripts)
}

test('the built scripts use no API that an old supported browser lacks, unless it is guarded', () => {
  expect(Object.keys(newerApis).filter(isUsed).sort()).toEqual([...usedApis].sort())
})

test.each([
  ['lookbehind (Safari 16.4)', /\(\?<[=!]/],
  ['the v flag (Safari 17)', /\/[dgimsuy]*v[dgimsuy]*\.test\(/],
  ['static blocks (Safari 16.4)', /static ?\{/],
])('the built scripts have no %s, which would stop them from being parsed', (_name, syntax) => {
  expect(scripts).not.toMatch(syntax)
})

test.each([
  ['media ranges (Safari 16.4)', /@media[^{]*[<>]/],
  ['container queries (Safari 16, Firefox 110)', /@container/],
  ['mixed colors (Safari 16.2, Firefox 113, Chrome 111)', /color-mix\(/],
  ['colors for both themes (Safari 17.5, Firefox 120, Chrome 123)', /light-dark\(/],
  ['relative colors (Safari 16.4, Firefox 128, Chrome 119)', /\(from /],
  ['clipped overflow (Safari 16)', /overflow(-\w+)?: ?clip/],
  ['thickness in an underline without a color (not in Safari 15.4)', /[;{]text-decoration: ?underline \d/],
  [
    'selection turned off without a prefix (not in Safari 15.4)',
    /(?<!-webkit-user-select: ?none;\s*|-)\buser-select/,
  ],
])('the built style sheets have no %s, which would be ignored', (_name, syntax) => {
  expect(syntax.exec(styles)?.[0]).toBeUndefined()
})

test('the built style sheets have no nested rules (Safari 16.5, Firefox 117, Chrome 112)', () => {
  const blocks = [{ isRule: false }]
  const nested: string[] = []
  for (const [, prelude = '', bracket] of styles.matchAll(/([^{};]*)([{};])/g)) {
    const isRule = !prelude.trim().startsWith('@')
    if (bracket === '{' && blocks.at(-1)?.isRule) nested.push(prelude)
    if (bracket === '{') blocks.push({ isRule })
    if (bracket === '}') blocks.pop()
  }

  expect(inlineStyles.length).toBeGreaterThan(0)
  expect(nested).toEqual([])
})
