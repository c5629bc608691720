import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { envNames } from './env.ts'
import { v8Flags } from './testing/start-program.ts'

const readme = readFileSync('README.md', 'utf8')
const documents = ['README.md', 'server/operations.md', 'server/postgresql.md']
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

test('the README explains every setting', () => {
  for (const name of envNames) expect(readme).toContain(`\`${name}\``)
})

test('the server runs with the same flags wherever it is started', () => {
  const flags = v8Flags.join(' ')
  const commands = [scripts.start, scripts.serve, readFileSync('Dockerfile', 'utf8').replaceAll('", "', ' ')]

  for (const command of commands) expect(command).toContain(`node ${flags}`)
})

test.each(documents)('every npm script that %s names is there', (document) => {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(([, script]) => script)

  expect(named.length).toBeGreaterThan(2)
  for (const script of named) expect(Object.keys(scripts)).toContain(script)
})

test.each(documents)('every file that %s links to or shows is there', (document) => {
  const text = readFileSync(document, 'utf8')
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path ?? '')

  expect(linked.length).toBeGreaterThan(0)
  for (const path of linked) expect(existsSync(join(dirname(document), path)), path).toBe(true)
})

test.each(documents)('every command in a container that %s names is in the image', (document) => {
  const text = readFileSync(document, 'utf8')
  const [, installed = ''] = readFileSync('Dockerfile', 'utf8').match(/for name in (.*); do/) ?? []
  const named = [...text.matchAll(/docker compose (?:exec|run --rm) (?:-T )?(?:web|copies) ([a-z]+)/g)]

  expect(named.length).toBeGreaterThan(0)
  for (const [, name] of named) expect([...installed.split(' '), 'sh']).toContain(name)
})
