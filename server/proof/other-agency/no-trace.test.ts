import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brand as first } from '../../../shared/business/brand.ts'
import { contactPath } from '../../../shared/contact-request.ts'
import { runInThisProcess } from '../testing/run-program.ts'
import { sampleEmails } from '../testing/sample-emails.ts'
import { newDataDir, nodeSettings, type Program, startProgram } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { brand } from './facts/brand.ts'
import { findTraces } from './find-traces.ts'

// Runs the other agency's site, which run-tests.ts has built, and searches its output for traces of the first agency.

const dist = join(import.meta.dirname, 'dist')
const folder = newDataDir()
const settings = {
  ...nodeSettings,
  DATA_DIR: join(folder.path, 'data'),
  VISITOR_RECEIPT: 'on',
}
const run = async (name: 'leads' | 'doctor', ...args: string[]) => {
  const { stdout, stderr } = await runInThisProcess(name, args, {
    ...settings,
    PATH: process.env.PATH ?? '',
  })
  return stdout + stderr
}

let program: Program
beforeAll(async () => {
  program = await startProgram(settings)
}, 120_000)
afterAll(async () => {
  await program?.stop()
  folder[Symbol.dispose]()
})

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const lead = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'A shop, please.' }
const post = async (type: string, body: string) => {
  const response = await fetch(program.url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
  return response.text()
}

test("findTraces finds the first agency's name, phone number, currency and prices, and no words of the other agency", () => {
  expect(findTraces(`Call ${first.phone}`)).toEqual([first.phone])
  expect(findTraces(`"${first.name.toLowerCase()}.key"`, 'bytes')).toEqual([first.name.toLowerCase()])
  expect(findTraces('From $200, in USD')).toEqual(['USD', '$2'])
  expect(findTraces(`${brand.name}, ${brand.phone}, from £200`)).toEqual([])
})

const kinds: Record<string, 'text' | 'code'> = {
  '.html': 'text',
  '.svg': 'text',
  '.css': 'text',
  '.js': 'code',
}

test('the built pages, scripts, icons and file names contain no trace of the first agency', () => {
  const files = filesIn(dist).filter((file) => !/\.(?:br|gz)$/.test(file))

  const found = files.map((file) => [
    file.slice(dist.length),
    ...findTraces(file.slice(dist.length)),
    // Skip inlined scripts, because in code, `$1` isn't a price.
    ...findTraces(
      readFileSync(file, 'latin1').replace(/<script type="module">.*?<\/script>/gs, ''),
      kinds[extname(file)] ?? 'bytes',
    ),
  ])

  expect(found.filter(({ length }) => length > 1)).toEqual([])
  expect(files.length).toBeGreaterThan(20)
  expect(readFileSync(join(dist, 'pages/home.html'), 'utf8')).toContain(brand.name)
})

// Compares bytes, because a search for words can't read pictures, and both agencies' icons have the same file names.
test("no file that the first agency publishes, such as an icon or a picture, is in the other agency's build", () => {
  const firstFiles = filesIn(join(import.meta.dirname, '../../../client/brand/public'))
  const firstBytes = new Set(firstFiles.map((file) => readFileSync(file, 'latin1')))
  const firstNames = new Set(firstFiles.map((file) => basename(file)))
  const built = filesIn(join(dist, 'site'))

  expect(built.filter((file) => firstBytes.has(readFileSync(file, 'latin1')))).toEqual([])
  const replaced = built.map((file) => basename(file)).filter((name) => firstNames.has(name))
  expect(replaced).toEqual(
    expect.arrayContaining(['apple-touch-icon.png', 'favicon.ico', 'icon-512.png', 'og.png']),
  )
})

test('the served documents, the manifest and the page for a rejected form have no trace of the first agency', async () => {
  const paths = ['/nothing', '/llms.txt', '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/favicon.svg']

  const texts = await Promise.all(paths.map(async (path) => (await fetch(program.url + path)).text()))
  texts.push(await post('application/x-www-form-urlencoded', 'firstName=Ada'))

  for (const text of texts) expect(findTraces(text.replace(/<script.*?<\/script>/gs, ''))).toEqual([])
  for (const text of [texts[1], texts[4], texts.at(-1)]) expect(text).toContain(brand.name)
})

test('the emails, the output of the commands and the log contain no trace of the first agency', async () => {
  expect(await post('application/json', JSON.stringify(lead))).toContain('"success":true')
  const emails = () => filesIn(folder.path).filter((file) => file.endsWith('.eml'))
  await waitUntil('two emails', () => emails().length === 2)
  const commands = ['list', 'show', 'export', 'erase']
  const output = await Promise.all([
    ...[run('leads', 'list'), run('leads', 'show', 'ada@example.com'), run('leads', 'export', '--raw')],
    ...[run('leads', '--help'), run('doctor')],
    ...commands.map((name) => run('leads', name, '--help')),
  ])
  const texts = await Promise.all(
    emails().map(async (file) => {
      const { subject, from, text, html } = await PostalMime.parse(readFileSync(file))
      return JSON.stringify([subject, from, text, html])
    }),
  )

  const sender = { mailFrom: { address: 'site@agency.example' }, siteUrl: program.url, hasInbox: true }
  for (const { subject, from, text, html } of Object.values(sampleEmails(sender)))
    texts.push(JSON.stringify([subject, from, text, html]))

  const all = [...output, ...texts, ...program.lines]

  expect(all.flatMap((text) => findTraces(text))).toEqual([])
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts) expect(text).toContain(brand.name)
  for (const text of output) expect(text).not.toBe('')
  expect(output[0]).toContain('Lovelace')
}, 120_000)
