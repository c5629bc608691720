import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { envNames } from './env.ts'
import { v8Flags } from './proof/testing/start-program.ts'

const readme = readFileSync('README.md', 'utf8')
const documents = ['README.md', 'server/operations.md', 'server/postgresql.md']
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

test('the README explains every setting', () => {
  for (const name of envNames) expect(readme).toContain(`\`${name}\``)
})

test('every way to start the server uses the same flags', () => {
  const flags = v8Flags.join(' ')
  const commands = [scripts.start, scripts.serve, readFileSync('Dockerfile', 'utf8').replaceAll('", "', ' ')]

  for (const command of commands) expect(command).toContain(`node ${flags}`)
})

test.each(documents)('every npm script in %s exists', (document) => {
  const text = readFileSync(document, 'utf8')
  const named = [...text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g)].map(([, script]) => script)

  expect(named.length).toBeGreaterThan(2)
  for (const script of named) expect(Object.keys(scripts)).toContain(script)
})

test.each(documents)('every file that %s links to exists', (document) => {
  const text = readFileSync(document, 'utf8')
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path ?? '')

  expect(linked.length).toBeGreaterThan(0)
  for (const path of linked) expect(existsSync(join(dirname(document), path)), path).toBe(true)
})

test.each(documents)('every container command in %s is in the image', (document) => {
  const text = readFileSync(document, 'utf8')
  const [, installed = ''] = readFileSync('Dockerfile', 'utf8').match(/for name in (.*); do/) ?? []
  const named = [...text.matchAll(/docker compose (?:exec|run --rm) (?:-T )?(?:web|copies) ([a-z]+)/g)]

  const offsite = readFileSync('server/offsite/offsite.sh', 'utf8')
  for (const [, name] of text.matchAll(/docker compose run --rm offsite ([a-z]+)/g))
    expect(offsite).toContain(`offsite ${name}`)
  expect(named.length).toBeGreaterThan(0)
  for (const [, name] of named) expect([...installed.split(' '), 'sh']).toContain(name)
})

test('three commands restore the leads on an empty machine', () => {
  const section = readFileSync('server/operations.md', 'utf8').split('## When the disk dies')[1] ?? ''
  const [, commands = ''] = section.match(/```sh\n([^`]*)```/) ?? []

  expect(commands.trim().split('\n')).toHaveLength(3)
  for (const command of commands.trim().split('\n')) expect(command).toMatch(/^docker compose /)
})

test('operations.md explains every setting of the offsite profile in Compose', () => {
  const operations = readFileSync('server/operations.md', 'utf8')
  const compose = readFileSync('docker-compose.yml', 'utf8').split('\n  offsite:\n')[1] ?? ''
  const service = compose.slice(0, compose.indexOf('\n\n'))
  const names = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name)

  expect(names).toContain('RESTIC_REPOSITORY')
  for (const name of names) expect(operations).toContain(name)
})

test('Docker limits the log of every service', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')
  const [, services = ''] = /\nservices:\n(.*?)\n(?=[a-z])/s.exec(compose) ?? []
  const bounded = services
    .split(/^(?= {2}[a-z-]+:$)/m)
    .map((service) => /^ {4}(?:logging: \*logging|<<: \*program)$/m.test(service))

  expect(bounded).toHaveLength(7)
  expect(new Set(bounded)).toEqual(new Set([true]))
  expect(compose).toMatch(/&logging\n(?: {2}.*\n)* {2}options: \{ max-size: 10m/)
})

test('Compose has no default passwords', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')

  expect(compose).toContain('POSTGRES_PASSWORD')
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|KEY)\w*:-[^}]/)
})
