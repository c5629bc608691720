import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brand as first } from '../../../shared/business/brand.ts'
import { contactPath } from '../../../shared/contact-request.ts'
import { newDataDir, nodeSettings, type Program, startProgram } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { brand } from './facts/brand.ts'
import { findTraces } from './find-traces.ts'

// Builds and runs the site of the other agency, and searches what it shows for the first agency. Pictures are not looked at.

const dist = join(import.meta.dirname, 'dist')
const folder = newDataDir()
const settings = {
  ...nodeSettings,
  NODE_OPTIONS: '--conditions=other-agency',
  DATA_DIR: join(folder.path, 'data'),
  VISITOR_RECEIPT: 'on',
}
const run = async (...args: string[]) => {
  const env = { ...settings, PATH: process.env.PATH }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return stdout + stderr
}

let program: Program
beforeAll(async () => {
  // Otherwise, `npm run test:other-agency` has built it, and other tests are reading it.
  if (nodeSettings.NODE_OPTIONS !== settings.NODE_OPTIONS) await run('client/build.ts')
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

test('the search finds the first agency, but not in the words of the other', () => {
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

test('the built pages, scripts, icons and file names show nothing of the first agency', () => {
  const files = filesIn(dist).filter((file) => !/\.(?:br|gz)$/.test(file))

  const found = files.map((file) => [
    file.slice(dist.length),
    ...findTraces(file.slice(dist.length)),
    // An inlined script is code.
    ...findTraces(
      readFileSync(file, 'latin1').replace(/<script type="module">.*?<\/script>/gs, ''),
      kinds[extname(file)] ?? 'bytes',
    ),
  ])

  expect(found.filter(({ length }) => length > 1)).toEqual([])
  expect(files.length).toBeGreaterThan(20)
  expect(readFileSync(join(dist, 'pages/home.html'), 'utf8')).toContain(brand.name)
})

test('the served documents, the manifest and the page for a rejected form show nothing of the first agency', async () => {
  const paths = ['/nothing', '/llms.txt', '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/favicon.svg']

  const texts = await Promise.all(paths.map(async (path) => (await fetch(program.url + path)).text()))
  texts.push(await post('application/x-www-form-urlencoded', 'firstName=Ada'))

  for (const text of texts) expect(findTraces(text.replace(/<script.*?<\/script>/gs, ''))).toEqual([])
  for (const text of [texts[1], texts[4], texts.at(-1)]) expect(text).toContain(brand.name)
})

test('the emails, the commands and the log show nothing of the first agency', async () => {
  expect(await post('application/json', JSON.stringify(lead))).toContain('"success":true')
  const emails = () => filesIn(folder.path).filter((file) => file.endsWith('.eml'))
  await waitUntil('two emails', () => emails().length === 2)
  const leads = (...args: string[]) => run('server/cli/leads.ts', ...args)
  const help = ['list', 'show', 'stats', 'export', 'erase', 'preview'].map((name) => leads(name, '--help'))
  const output = await Promise.all([
    ...[leads('--help'), leads('list'), leads('show', 'ada@example.com'), leads('stats'), leads('export')],
    ...[leads('preview'), run('server/cli/doctor.ts'), ...help],
  ])
  const texts = await Promise.all(
    emails().map(async (file) => {
      const { subject, from, text, html } = await PostalMime.parse(readFileSync(file))
      return JSON.stringify([subject, from, text, html])
    }),
  )

  const all = [...output, ...texts, ...program.lines]

  expect(all.flatMap((text) => findTraces(text))).toEqual([])
  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts) expect(text).toContain(brand.name)
  expect(output[1]).toContain('Lovelace')
}, 120_000)
