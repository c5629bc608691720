import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newTab } from '#brand/words/portfolio.ts'
import { title as processTitle } from '#brand/words/process.ts'
import { services } from '#brand/words/services.ts'
import { brand } from '#facts/brand.ts'

const dist = fileURLToPath(import.meta.resolve('#dist'))
const pages = join(dist, 'pages')
const pageNames = ['home.html', 'privacy.html', 'not-found.html']
const assets = join(dist, 'site/assets')
const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
const isOfInbox = (name: string) => name.startsWith('inbox-')
const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const compressedSize = (names: string[]) =>
  names.reduce((sum, name) => {
    const compressed = join(assets, `${name}.br`)
    return sum + statSync(existsSync(compressed) ? compressed : join(assets, name)).size
  }, 0)

test('the public pages and their scripts contain no code or paths of the inbox', () => {
  const publicFiles = [
    ...pageNames.map((name) => read(pages, name)),
    ...scripts.filter((name) => !isOfInbox(name)).map((name) => read(assets, name)),
  ]

  expect(publicFiles).toHaveLength(6)
  for (const text of publicFiles) expect(text).not.toMatch(/\/inbox|\/api\b|react-query/)
})

test('the name of each asset changes with its content, because browsers keep it for a year', () => {
  const names = readdirSync(assets)

  expect(names.length).toBeGreaterThan(9)
  expect(names.filter((name) => !/-[\w-]{8}\.[a-z0-9]+(\.br|\.gz)?$/.test(name))).toEqual([])
})

test('every link to a place on a page leads to it', () => {
  const dead = pageNames.flatMap((name) => {
    const page = read(pages, name)
    const links = [...page.matchAll(/ href="([^"#]*)#([^"]*)"/g)]
    expect(links.length).toBeGreaterThan(9)
    return links
      .filter(([, path, id]) => !(path ? read(pages, 'home.html') : page).includes(` id="${id}"`))
      .map(([link]) => name + link)
  })

  expect(dead).toEqual([])
})

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

test('all words of the brand are on a page, except what only the form and the office say later', async () => {
  const files = globSync('brand/words/!(form|hours|outcome|share-image).ts', { cwd: import.meta.dirname })
  const words = await Promise.all(files.map((file) => import(join(import.meta.dirname, file))))
  const html = pageNames.map((name) => read(pages, name)).join('\n')
  const text = (html + html.replace(/<[^>]*>/g, ''))
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')

  expect(words.length).toBeGreaterThan(9)
  // contact.test.tsx has the label of a fact that can be empty.
  expect(
    textsIn(words.map((module) => ({ ...module, whoAnswers: '' }))).filter((word) => !text.includes(word)),
  ).toEqual([])
})

test('how we work is a part of the services, like each of them', () => {
  const titles = [processTitle, ...services.map(({ title }) => title)]
  const home = read(pages, 'home.html').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

  for (const title of titles) expect(home).toMatch(new RegExp(`<h3[^>]*>(<[^>]*>)*${title}`))
})

test('links call and email the agency, and say if they open a new tab', () => {
  for (const name of pageNames) {
    const page = read(pages, name)
    const addresses = new Set([...page.matchAll(/ href="((?:tel|mailto):[^"]*)"/g)].map(([, to]) => to))
    expect([...addresses].sort()).toEqual([`mailto:${brand.email}`, `tel:${brand.phoneLink}`])
    for (const [link] of page.matchAll(/<a [^>]*target="_blank".*?<\/a>/gs)) expect(link).toContain(newTab)
  }
})

test("when compressed, all of the inbox's JavaScript is at most 60 kB larger than the public page's", () => {
  const page = compressedSize(scripts.filter((name) => !isOfInbox(name)))
  const inbox = compressedSize(scripts.filter(isOfInbox))

  expect(inbox).toBeLessThanOrEqual(page + 60_000)
})

test('each document has the styles of what is above the style sheet of the home page, which has none of them', () => {
  const home = read(pages, 'home.html')
  const [style = ''] = /<style>.*<\/style>/s.exec(home) ?? []
  const [above = '', , file = ''] = home.split(/(<link rel="stylesheet" href="\/assets\/)([^"]+)/)
  const classes = [...above.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '))
  const styledBy = (sheet: string) => classes.filter((name) => new RegExp(`\\.${name}(?![\\w-])`).test(sheet))

  expect(styledBy(style).length).toBeGreaterThan(50)
  expect(styledBy(read(assets, file))).toEqual([])
  for (const name of pageNames) expect(read(pages, name)).toContain(style)
})
