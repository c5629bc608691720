import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { envNames, parseEnv as parseSettings } from './env.ts'
import { needsToken } from './mail/oauth.ts'
import { memorySettings, newDataDir } from './proof/testing/start-program.ts'

const ofProject = ['CHANGELOG', 'SECURITY', 'STYLE'].map((name) => `.github/${name}.md`)
const documents = ['README.md', ...ofProject, ...globSync('server/*.md')]
const compose = readFileSync('docker-compose.yml', 'utf8')
const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8'))

/**
 * Returns every match in every document. Fails if there are too few, because then the pattern is
 * probably broken.
 */
function findAll(pattern: RegExp) {
  const found = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(pattern)].map(([, match = '']) => ({ document, match })),
  )
  expect(found.length).toBeGreaterThan(2)
  return found
}

test('the documents for operators have at most 9,000 words, the mail guides 1,400, the style guide 700', () => {
  // Counts as `wc -w` does.
  const wordsIn = (file: string) => readFileSync(file, 'utf8').trim().split(/\s+/).length
  // Nobody reads more than the guide to one service.
  const guides = 'server/mail-services.md'
  const files = globSync('**/*.md', { exclude: ['**/node_modules', '**/test-results', guides] })

  expect(files).toContain('README.md')
  expect(files.reduce((sum, file) => sum + wordsIn(file), 0)).toBeLessThanOrEqual(9_000)
  expect(wordsIn(guides)).toBeLessThanOrEqual(1_400)
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

test('every setting in the documents exists, the README names all of the server, and Compose passes them', () => {
  const ofCompose = [...compose.matchAll(/\$\{([A-Z_]+)|(COMPOSE_[A-Z]+)/g)].map(
    ([, name, own]) => name ?? own,
  )

  for (const { match } of findAll(/`([A-Z]+_[A-Z_]*[A-Z])(?:=[^`]*)?`/g))
    expect([...envNames, ...ofCompose]).toContain(match)
  for (const name of envNames) expect(readFileSync('README.md', 'utf8')).toContain(`\`${name}\``)
  expect(envNames.filter((name) => !ofCompose.includes(name))).toEqual(['HOST', 'DATA_DIR'])
})

test('the server accepts the settings for each mail service, and logs in with a token only if there is no password', () => {
  const guides = readFileSync('server/mail-services.md', 'utf8')
  const blocks = [...guides.matchAll(/```sh\n([^`]+)```/g)].map(([, block = '']) => parseEnv(block))
  const urls = [...guides.matchAll(/^\|.*`(smtps?:[^`]+)`/gm)].map(([, SMTP_URL]) => ({ SMTP_URL }))

  expect([blocks.length, urls.length]).toEqual([6, 5])
  for (const given of [...blocks, ...urls]) {
    const { SMTP_URL = '', IMAP_URL = SMTP_URL, oauth } = parseSettings(given)
    expect([needsToken(SMTP_URL), needsToken(IMAP_URL)]).toEqual([oauth !== undefined, oauth !== undefined])
  }
})

test('every container command in the documents exists in the image', () => {
  const [, installed = ''] = readFileSync('Dockerfile', 'utf8').match(/for name in (.*); do/) ?? []
  for (const { match } of findAll(/docker compose (?:exec|run --rm) (?:-T )?(?:web|copies) ([a-z]+)/g))
    expect([...installed.split(' '), 'sh']).toContain(match)
})

test('without Docker, the server has the memory settings of the image', () => {
  const { NODE_OPTIONS } = memorySettings
  expect(readFileSync('Dockerfile', 'utf8')).toContain(`NODE_OPTIONS="${NODE_OPTIONS}"`)
  for (const name of ['start', 'serve'])
    expect(scripts[name]).toContain(`node ${NODE_OPTIONS} --env-file-if-exists=.env server/main.ts`)
})

test('README.md says which programs the tests install', () => {
  const readme = readFileSync('README.md', 'utf8')
  const installs =
    'PostgreSQL, Dovecot, and\npoppler-utils; `npm run browsers` installs Firefox and WebKitGTK.'
  expect(readme).toContain(installs)
  expect(scripts.test).toContain('install-needs.ts postgres dovecot pdftotext')
  expect(scripts['test:engines']).toContain('--installed')
  expect(scripts.browsers).not.toContain('--installed')
})

test.each([
  ['https://www.example.com', 'https://example.com'],
  ['https://example.com', 'https://www.example.com'],
  ['https://example.com/', 'https://www.example.com'],
  ['https://localhost:8443', 'https://www.localhost:8443'],
])('for the site %j, the proxy redirects visitors of %j', (SITE_URL, other) => {
  const [, script = ''] = compose.match(/- sh\n +- -c\n +- \|\n((?: {6}.*\n)+)/) ?? []
  const printing = script.replaceAll('$$', '$').replace(/exec caddy.*/, 'echo $OTHER_URL $SITE_URL')

  expect(execFileSync('sh', ['-c', printing], { env: { SITE_URL }, encoding: 'utf8' })).toBe(
    `${other} ${new URL(SITE_URL).origin}\n`,
  )
  expect(readFileSync('Caddyfile', 'utf8')).toMatch(
    /^\{\$OTHER_URL\} \{[^}]*\}\s+redir \{\$SITE_URL\}\{uri\}/m,
  )
})

test('docker-compose.yml has no default password, opens its port on localhost, and replicas trust the balancer', () => {
  expect(compose).toMatch(/^ {2}copies:\n(?: {4}.*\n)*? {6}TRUST_PROXY: \$\{TRUST_PROXY:-1\}$/m)
  expect(compose).toContain('POSTGRES_PASSWORD')
  expect(compose).not.toMatch(/(?:PASSWORD|SECRET|KEY)\w*:-[^}]/)
  expect(compose).toMatch(/^ {2}web:\n(?: {4}.*\n)* {4}ports: \["127\.0\.0\.1:[^,]*\]\n/m)
})

test('every container has limits: of memory, of its log, and of what it may do', () => {
  const count = (setting: string) => compose.split(`  ${setting}`).length
  for (const limit of ['mem_limit: ', 'logging: *logging', 'cap_drop: [ALL]', 'security_opt: ["no-new-priv'])
    expect([limit, count(limit)]).toEqual([limit, count('image: ')])

  const program = compose.split('\n\n').find((part) => part.startsWith('x-program'))
  for (const limit of ['mem_limit: 256m', 'read_only: true']) expect(program).toContain(limit)
})

test('a merge keeps an agency’s facts and words, and nothing else', () => {
  expect(readFileSync('.gitattributes', 'utf8').match(/^.* merge=.*$/gm)).toEqual([
    'shared/business/** merge=mine',
    'client/brand/** merge=mine',
  ])
})

test('the download in the documents prints the newest backup', () => {
  const [, remote = ''] =
    readFileSync('server/operations.md', 'utf8').match(/^ssh web-server '(.*)' >/m) ?? []
  const command = remote.replace('cd plumbline && docker compose exec -T web ', '')
  using folder = newDataDir()
  for (const name of ['leads-2026-03-01T08-00-00Z.db', 'leads-2026-03-02T08-00-00Z.db', 'other.json'])
    writeFileSync(join(folder.path, name), name)

  const env = { ...process.env, BACKUP_DIR: folder.path }
  expect(execFileSync('sh', ['-c', command], { env, encoding: 'utf8' })).toBe('leads-2026-03-02T08-00-00Z.db')
})

test('to try everything neither touches a live installation nor sends an email', () => {
  const tried = parseEnv(readFileSync('server/proof/container/try.env', 'utf8'))

  expect(tried).toMatchObject({ COMPOSE_FILE: 'docker-compose.yml', SMTP_URL: 'smtp://mail-catcher:1025' })
  expect(tried.COMPOSE_PROJECT_NAME).toBeTruthy()
  for (const [, name = '', usual] of compose.matchAll(/\$\{(WEB_IMAGE|\w*PORT):-([^}]+)\}/g))
    expect([undefined, usual]).not.toContain(tried[name])
})
