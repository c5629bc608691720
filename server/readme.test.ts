import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { envNames } from './env.ts'

const ofProject = ['CHANGELOG', 'SECURITY', 'STYLE'].map((name) => `.github/${name}.md`)
const documents = ['README.md', ...ofProject, ...globSync('server/*.md')]
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8'))

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

test('the list of changes begins with this version', () => {
  const [, newest] = readFileSync('.github/CHANGELOG.md', 'utf8').match(/^## (.*)$/m) ?? []

  expect(newest).toBe(version)
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

test('every container command in the documents exists in the image', () => {
  const [, installed = ''] = readFileSync('Dockerfile', 'utf8').match(/for name in (.*); do/) ?? []
  for (const { match } of findAll(/docker compose (?:exec|run --rm) (?:-T )?(?:web|copies) ([a-z]+)/g))
    expect([...installed.split(' '), 'sh']).toContain(match)

  const offsite = readFileSync('server/offsite/offsite.sh', 'utf8')
  for (const { match } of findAll(/docker compose run --rm offsite ([a-z]+)/g))
    expect(offsite).toContain(`offsite ${match}`)
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

test('docker-compose.yml has no default password, and opens the port only on localhost', () => {
  const compose = readFileSync('docker-compose.yml', 'utf8')

  expect(compose).toContain('POSTGRES_PASSWORD')
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|KEY)\w*:-[^}]/)
  expect(compose).toMatch(/^ {2}web:\n(?: {4}.*\n)* {4}ports: \["127\.0\.0\.1:[^,]*\]\n/m)
})
