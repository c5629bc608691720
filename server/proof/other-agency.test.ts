import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSample } from '#brand/words/drawing.ts'
import { viewWork } from '#brand/words/hero.ts'
import { popular } from '#brand/words/pricing.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { portfolio } from '#facts/portfolio.ts'
import { contactPath } from '#shared/contact-request.ts'
import { anchors } from '#shared/pages.ts'
import { runCommand } from './faults/run-cli.ts'
import { newDataDir, nodeSettings, type Program, startProgram } from './testing/start-program.ts'
import { waitUntil } from './testing/wait-until.ts'

// Builds and runs a copy of this project in which another agency has replaced its facts, words and
// pictures. Whatever still names the first agency does so because the program says it, not the
// agency's own files.

const root = join(import.meta.dirname, '../..')
const domainOf = (email: string) => email.replace(/.*@/, '')
/**
 * What the other agency writes instead. Longer texts come first, because they contain shorter ones.
 */
const inventions: [first: string, other: string][] = [
  [brand.legalName, 'Hillside Web Ltd'],
  [domainOf(brand.email), 'hillside.example'],
  [brand.slogan, 'Shops that open early'],
  [brand.name, 'Hillside Web'],
  [brand.name.toLowerCase(), 'hillside-web'],
  [brand.phoneLink, '+442079460142'],
  [brand.phone, '020 7946 0142'],
  [brand.city, 'London'],
  [`'${brand.currency}'`, "'GBP'"],
  [`'${brand.locale}'`, "'de-DE'"],
  [hours.timeZone, 'Europe/London'],
  [`'${hours.zone}'`, "'London time'"],
  ...portfolio.flatMap(({ id, title }, index): [string, string][] => [
    [id, `shop-${index}`],
    [title, `Shop ${index}`],
  ]),
]
const invent = (text: string) =>
  inventions.reduce((changed, [first, other]) => changed.replaceAll(first, other), text)

const names = [
  ...[brand.name, domainOf(brand.email), brand.slogan, brand.city, brand.phoneLink.slice(1), brand.phone],
  ...portfolio.flatMap(({ id, title }) => [id, title]),
]
const anyName = new RegExp(names.map((name) => name.replace(/[().]/g, '\\$&')).join('|'), 'i')
const anyPrice = new RegExp(`\\$\\d|\\b${brand.currency}\\b`)

/**
 * The first agency's names and prices. In code, `$1` has another meaning, and shared/money.ts names
 * dollars.
 */
const findTraces = (text: string, isCode = false) =>
  [anyName, ...(isCode ? [] : [anyPrice])].flatMap((pattern) => pattern.exec(text)?.[0] ?? [])

const project = newDataDir()
const data = newDataDir()
const site = join(project.path, 'client/dist')
const settings: Record<string, string> = { ...nodeSettings, DATA_DIR: data.path, VISITOR_RECEIPT: 'on' }
const start = (...args: string[]) => {
  const env = { ...settings, PATH: process.env.PATH }
  return runCommand(process.execPath, args, { cwd: project.path, env, timeout: 60_000 })
}
const run = async (...args: string[]) => (await start(...args)).output

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/**
 * Replaces the facts in a file, or changes a picture's bytes. Renames the file if its name contains
 * a fact.
 */
function replaceFacts(file: string) {
  const isText = ['.ts', '.html', '.css', '.svg', '.txt'].includes(extname(file))
  if (isText) writeFileSync(file, invent(readFileSync(file, 'utf8')))
  else appendFileSync(file, 'other')
  if (basename(file) !== invent(basename(file))) renameSync(file, join(dirname(file), invent(basename(file))))
}

let program: Program
beforeAll(async () => {
  for (const name of ['client', 'server', 'shared', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(project.path, name), {
      recursive: true,
      filter: (path) => !['dist', 'e2e', 'node_modules'].includes(basename(path)),
    })
  symlinkSync(join(root, 'node_modules'), join(project.path, 'node_modules'))
  for (const folder of ['shared/business', 'client/brand'])
    for (const file of filesIn(join(project.path, folder))) replaceFacts(file)
  const work = join(project.path, 'client/brand/public/work')
  for (const name of readdirSync(work)) renameSync(join(work, name), join(work, invent(name)))
  const output = (await run('server/spam/build.ts')) + (await run('client/build.ts'))
  expect(existsSync(site), output).toBe(true)
  program = await startProgram(settings, { root: project.path })
})
afterAll(async () => {
  await program?.stop()
  for (const folder of [project, data]) folder[Symbol.dispose]()
})

test('the built pages, scripts, icons and file names contain no trace of the first agency', () => {
  const isOwn = (file: string) => file.includes('/work/') || /\.(?:br|gz)$/.test(file)
  const files = filesIn(site).filter((file) => !isOwn(file))
  const isCode = (file: string) => !['.html', '.svg', '.css'].includes(extname(file))

  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'latin1').replace(/<script type="module">.*?<\/script>/gs, '')
    return findTraces(relative(site, file) + text, isCode(file)).map((trace) => `${file}: ${trace}`)
  })

  expect(found).toEqual([])
  const page = (name: string) => readFileSync(join(site, 'pages', name), 'utf8')
  expect(page('home.html')).toMatch(/<html lang="de-DE".*Hillside Web/s)
  // The words of the inbox are part of the program.
  expect(page('inbox.html')).toContain('<html lang="en">')
})

test('what the server serves, sends, logs and prints contains no trace of the first agency', async () => {
  const post = async (type: string, body: string) => {
    const request = { method: 'POST', headers: { 'Content-Type': type }, body }
    return (await fetch(program.url + contactPath, request)).text()
  }
  const lead = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    message: 'A shop, please.',
  }
  expect(await post('application/json', JSON.stringify(lead))).toContain('"success":true')
  const emails = () => filesIn(data.path).filter((file) => file.endsWith('.eml'))
  await waitUntil('two emails', () => emails().length === 2)
  const sample = `import { sampleEmails } from './server/proof/testing/sample-emails.ts'
    const sender = { mailFrom: { address: 'a@b.example' }, siteUrl: 'https://c.example', hasInbox: true }
    for (const { subject, text, html } of Object.values(sampleEmails(sender))) console.log(subject, text, html)`

  const paths = ['/nothing', '/llms.txt', '/robots.txt', '/sitemap.xml', '/site.webmanifest', '/favicon.svg']
  const served = await Promise.all(paths.map(async (path) => (await fetch(program.url + path)).text()))
  served.push(await post('application/x-www-form-urlencoded', 'firstName=Ada'))
  const commands = [
    ...['list', '--help', 'erase --help'].map((args) => ['server/cli/leads.ts', ...args.split(' ')]),
    ...[['server/cli/doctor.ts'], ['--input-type=module', '--eval', sample]],
  ]
  // One after the other, because each starts with the code that those before it have compiled.
  const printed: string[] = []
  for (const command of commands) printed.push(await run(...command))

  const sent = emails().map((file) => readFileSync(file, 'utf8').replaceAll('=\r\n', ''))
  const all = [...served, ...printed, ...sent, ...program.lines]
  expect(all.flatMap((text) => findTraces(text.replace(/<script.*?<\/script>/gs, '')))).toEqual([])
  for (const text of [served[1], served[4], ...sent, printed.at(-1)]) expect(text).toContain('Hillside Web')
  expect(printed[0]).toContain('Lovelace')
})

test('with one plan and no samples, the types fit, and the page neither compares plans nor leads to samples', async () => {
  const change = (file: string, pattern: RegExp, text: string) => {
    const path = join(project.path, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(pattern, text))
  }
  change('shared/business/plans.ts', /false(.*?\},\n).*(?=\] as const)/s, 'true$1')
  change('client/brand/words/pricing.ts', /^ {2}(professional|enterprise): .*\n/gm, '')
  change('shared/business/portfolio.ts', /\[\n.*(?=\] as const)/s, '[')

  const types = await start('node_modules/typescript/bin/tsc', '-p', 'client/src')
  expect(types).toMatchObject({ code: 0, output: '' })
  await run('client/build.ts')
  const home = readFileSync(join(site, 'pages/home.html'), 'utf8')
  expect(home.match(/<article/g)).toHaveLength(1)
  for (const text of [popular, openSample, viewWork, `#${anchors.portfolio}"`])
    expect(home).not.toContain(text)
})

test('if a fact or a setting is invalid, neither the build nor the server starts, and they say which', async () => {
  const refuses = async (program: string, why: RegExp) =>
    expect(await start(program)).toMatchObject({ code: 1, output: expect.stringMatching(why) })
  settings.PORT = 'none'
  await refuses('server/main.ts', /^Invalid settings:\n {2}PORT: /)

  const file = join(project.path, 'shared/business/hours.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('Europe/London', 'Europe/Hillside'))
  for (const program of ['server/spam/build.ts', 'server/main.ts'])
    await refuses(program, /: hours\.timeZone must be/)
})
