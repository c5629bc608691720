import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { envNames } from './env.ts'

const readme = readFileSync('README.md', 'utf8')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

test('the README explains every setting', () => {
  for (const name of envNames) expect(readme).toContain(`\`${name}\``)
})

test('every npm script that the README names is there', () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(([, script]) => script)

  expect(named.length).toBeGreaterThan(8)
  for (const script of named) expect(Object.keys(scripts)).toContain(script)
})

test('every file that the README links to or shows is there', () => {
  const linked = [...readme.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, path]) => path ?? '')

  expect(linked.length).toBeGreaterThan(3)
  for (const path of linked) expect(existsSync(path), path).toBe(true)
})
