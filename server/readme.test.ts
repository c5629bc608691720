import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { envNames } from './env.ts'

const documents = ['README.md', '.github/SECURITY.md', '.github/STYLE.md', ...globSync('server/*.md')]
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

/** Returns every match in every document. Fails if there are too few, because then the pattern is probably broken. */
function findAll(pattern: RegExp) {
  const found = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(pattern)].map(([, match = '']) => ({ document, match })),
  )
  expect(found.length).toBeGreaterThan(2)
  return found
}

test('the documents for people who run the program have at most 9,000 words, and the style guide 700', () => {
  // Counts as `wc -w` does.
  const wordsIn = (file: string) => readFileSync(file, 'utf8').trim().split(/\s+/).length
  const files = globSync('**/*.md', { exclude: ['**/node_modules', '**/test-results'] })

  expect(files).toContain('README.md')
  expect(files.reduce((sum, file) => sum + wordsIn(file), 0)).toBeLessThanOrEqual(9_000)
  expect(wordsIn('.github/STYLE.md')).toBeLessThanOrEqual(700)
})

test('every npm script in the documents exists', () => {
  for (const { match } of findAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g))
    expect(Object.keys(scripts)).toContain(match)
})

test('every setting in the documents exists, and the README names every setting of the server', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')
  const ofCompose = [...compose.matchAll(/\$\{([A-Z_]+)|(COMPOSE_[A-Z]+)/g)].map(
    ([, name, own]) => name ?? own,
  )

  for (const { match } of findAll(/`([A-Z]+_[A-Z_]*[A-Z])(?:=[^`]*)?`/g))
    expect([...envNames, ...ofCompose]).toContain(match)
  for (const name of envNames) expect(readFileSync('README.md', 'utf8')).toContain(`\`${name}\``)
})

test('every file and section that the documents link to exists', () => {
  for (const { document, match } of findAll(/\]\((?!https?:)([^)]+)/g)) {
    const [path, section] = match.split('#')
    const target = path ? join(dirname(document), path) : document
    expect(existsSync(target), target).toBe(true)
    if (section) expect(headings(target), match).toContain(section)
  }
})

/** The anchors that GitHub gives to the headings of a document. */
const headings = (document: string) =>
  [...readFileSync(document, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('every container command in the documents exists in the image', () => {
  const [, installed = ''] = readFileSync('Dockerfile', 'utf8').match(/for name in (.*); do/) ?? []
  for (const { match } of findAll(/docker compose (?:exec|run --rm) (?:-T )?(?:web|copies) ([a-z]+)/g))
    expect([...installed.split(' '), 'sh']).toContain(match)

  const offsite = readFileSync('server/offsite/offsite.sh', 'utf8')
  for (const { match } of findAll(/docker compose run --rm offsite ([a-z]+)/g))
    expect(offsite).toContain(`offsite ${match}`)
})

test('the instructions in operations.md restore the leads on an empty machine with three commands', () => {
  const section = readFileSync('server/operations.md', 'utf8').split('## When the disk dies')[1] ?? ''
  const [, commands = ''] = section.match(/```sh\n([^`]*)```/) ?? []

  expect(commands.trim().split('\n')).toHaveLength(3)
  for (const command of commands.trim().split('\n')) expect(command).toMatch(/^docker compose /)
})

test('operations.md explains every setting that docker-compose.yml passes to the offsite service', () => {
  const operations = readFileSync('server/operations.md', 'utf8')
  const compose = readFileSync('docker-compose.yml', 'utf8').split('\n  offsite:\n')[1] ?? ''
  const service = compose.slice(0, compose.indexOf('\n\n'))
  const names = [...service.matchAll(/^ {6}([A-Z_]+): /gm)].map(([, name]) => name)

  expect(names).toContain('RESTIC_REPOSITORY')
  for (const name of names) expect(operations).toContain(name)
})

test("Docker limits the size of every service's log", () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')
  const [, services = ''] = /\nservices:\n(.*?)\n(?=[a-z])/s.exec(compose) ?? []
  const areLimited = services
    .split(/^(?= {2}[a-z-]+:$)/m)
    .map((service) => /^ {4}(?:logging: \*logging|<<: \*(?:program|caddy))$/m.test(service))

  expect(areLimited).toHaveLength(7)
  expect(new Set(areLimited)).toEqual(new Set([true]))
  expect(compose).toMatch(/&logging\n(?: {2}.*\n)* {2}options: \{ max-size: 10m/)
})

test.each([
  ['https://www.example.com', 'https://example.com'],
  ['https://example.com', 'https://www.example.com'],
  ['https://localhost:8443', 'https://www.localhost:8443'],
])('for the site %j, the proxy redirects visitors of %j', (SITE_URL, other) => {
  const compose = readFileSync('docker-compose.yml', 'utf8')
  const [, script = ''] = compose.match(/- sh\n +- -c\n +- \|\n((?: {6}.*\n)+)/) ?? []
  const printing = script.replaceAll('$$', '$').replace(/exec caddy.*/, 'echo $OTHER_URL')

  expect(execFileSync('sh', ['-c', printing], { env: { SITE_URL }, encoding: 'utf8' }).trim()).toBe(other)
  expect(readFileSync('Caddyfile', 'utf8')).toMatch(
    /^\{\$OTHER_URL\} \{[^}]*\}\s+redir \{\$SITE_URL\}\{uri\}/m,
  )
})

test('docker-compose.yml has no default password', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')

  expect(compose).toContain('POSTGRES_PASSWORD')
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|KEY)\w*:-[^}]/)
})
