import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colors } from '#facts/colors.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const find = (pattern: string) =>
  globSync(pattern, { cwd: import.meta.dirname }).map((file) => ({ file, text: read(file) }))
const sheets = find('src/**/*.css').map(({ file, text }) => ({
  file,
  text: text.replace(/\/\*.*?\*\//gs, ''),
}))
const sources = find('src/**/*.{ts,tsx}').filter(({ file }) => !file.includes('.test.'))
const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

test('each custom property that a style sheet uses is set, or has a fallback', () => {
  const all = [...sheets, ...sources].map(({ text }) => text).join('\n')
  const set = new Set([
    ...namesIn(all, /(--[\w-]+)['"]?\]?:/g),
    ...namesIn(all, /setProperty\(\s*['"](--[\w-]+)/g),
    ...Object.keys(colors).map((name) => `--color-${name}`),
  ])
  const used = sheets.flatMap(({ file, text }) =>
    namesIn(text, /var\(\s*(--[\w-]+)\s*\)/g).map((name) => `${file}: ${name}`),
  )

  expect(used.length).toBeGreaterThan(500)
  expect(used.filter((use) => !set.has(use.split(': ')[1] ?? ''))).toEqual([])
})

/** For each style sheet of a component, the classes in it, and those that components use. */
const modules = sheets
  .filter(({ file }) => file.endsWith('.module.css'))
  .map(({ file, text }) => {
    const name = file.split('/').at(-1)
    const uses = sources.flatMap(({ file: source, text: code }) => {
      const [, as] = new RegExp(`import (\\w+) from '([^']*/)?${name}'`).exec(code) ?? []
      if (!as || join(source, '..', new RegExp(`from '([^']*${name})'`).exec(code)?.[1] ?? '') !== file)
        return []
      return [
        {
          names: namesIn(
            code.replace(/^(import|\s*(\/\/|\*|\/\*)).*/gm, ''),
            new RegExp(`\\b${as}\\.(\\w+)`, 'g'),
          ),
          isDynamic: code.includes(`${as}[`),
        },
      ]
    })
    return {
      file,
      classes: new Set(namesIn(text.replace(/url\([^)]*\)|\d\.\d+/g, ''), /\.([a-zA-Z][\w-]*)/g)),
      used: new Set(uses.flatMap(({ names }) => names)),
      isDynamic: uses.some(({ isDynamic }) => isDynamic),
      isImported: uses.length > 0,
    }
  })

test('each class that a component uses is in its style sheet, and no other one is there', () => {
  expect(modules.length).toBeGreaterThan(40)
  expect(modules.filter(({ isImported }) => !isImported).map(({ file }) => file)).toEqual([])
  const missing = modules.flatMap(({ file, classes, used }) =>
    [...used].filter((name) => !classes.has(name)).map((name) => `${file}: ${name}`),
  )
  const unused = modules.flatMap(({ file, classes, used, isDynamic }) =>
    [...classes].filter((name) => !isDynamic && !used.has(name)).map((name) => `${file}: ${name}`),
  )

  expect({ missing, unused }).toEqual({ missing: [], unused: [] })
})

test('each attribute that a style sheet asks for is set somewhere', () => {
  const code = sources.map(({ text }) => text).join('\n')
  const asked = sheets.flatMap(({ file, text }) =>
    namesIn(text, /\[(data-[\w-]+|aria-[\w-]+)/g).map((name) => ({ file, name })),
  )
  const toCamel = (name: string) =>
    name.slice(5).replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

  expect(asked.length).toBeGreaterThan(20)
  expect(
    asked.filter(
      ({ name }) =>
        !code.includes(name) &&
        !new RegExp(
          `dataset\\.${toCamel(name)}|root\\.${toCamel(name)}|part\\.dataset\\.${toCamel(name)}`,
        ).test(code),
    ),
  ).toEqual([])
})
