import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type InlineConfig, type Rolldown } from 'vite'
import { english, locale } from '#shared/computed-facts.ts'
import { findInvalidFact, ourFacts } from '#shared/find-invalid-fact.ts'
import { RETENTION, SETTINGS } from '#shared/pages.ts'
import { buildInbox } from './build-inbox.ts'

const dist = fileURLToPath(import.meta.resolve('#dist'))
const site = join(dist, 'site')
const pages = join(dist, 'pages')

// Smaller files fit in one network packet anyway.
const MIN_BYTES_TO_COMPRESS = 1024
const compressible = new Set(['.js', '.css', '.html', '.svg', '.txt', '.json'])

/** Builds `dist/pages` (the HTML documents) and `dist/site` (all other files, with compressed copies). */
async function buildSite() {
  // Must be set before React is loaded: its development build renders different markup.
  process.env.NODE_ENV = 'production'
  await rm(dist, { recursive: true, force: true })
  const template = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
  const assetsOf = await buildAssets()
  const { renderPages } = await loadPrerender()
  await mkdir(pages, { recursive: true })
  for (const { file, head, markup } of await renderPages()) {
    const parts = { head, app: markup, ...assetsOf(file) }
    const page = fill(template, `${locale}" data-settings="${SETTINGS}" data-retention="${RETENTION}`, parts)
    await writeFile(join(pages, file), page)
  }
  await cp(join(import.meta.dirname, 'public'), site, { recursive: true })
  const inbox = await buildInbox(bundle, site)
  await writeFile(join(pages, 'inbox.html'), fill(template, english, inbox))
  await compressSite()
}

/** Builds the scripts and styles. Returns a function that names those that a document needs. */
async function buildAssets() {
  const output = await bundle({})
  const application = output.find((part) => part.type === 'chunk' && part.isEntry)
  const style = findStyle(output)
  if (!application) throw new Error('The build produced no script.')
  const firstView = {
    input: join(import.meta.dirname, 'src/first-view.ts'),
    // Otherwise, what the file exports would be left out, with its styles.
    preserveEntrySignatures: 'strict',
  } as const
  const firstStyle = findStyle(
    await bundle({ publicDir: false, build: { write: false, rolldownOptions: firstView } }),
  )

  return (file: string) => {
    const link = `<link rel="stylesheet" href="/${style.fileName}">`
    return file === 'home.html'
      ? {
          style: `<style>${String(firstStyle.source).trim()}</style><noscript>${link}</noscript>`,
          script: startAfterPaint(application.fileName, style.fileName),
        }
      : { style: link, script: startAfterPaint(application.fileName) }
  }
}

function findStyle(output: Rolldown.RolldownOutput['output']) {
  const style = output.find((part) => part.type === 'asset' && part.fileName.endsWith('.css'))
  if (style?.type !== 'asset') throw new Error('The build produced no style sheet.')
  return style
}

/**
 * After the first paint, loads the application, the fonts, and the style sheet, if the document doesn't link it. Earlier, they
 * would compete with the document. Some browsers report no paint, so they load after three seconds at the latest.
 *
 * Styles and fonts change the height of what is above the URL's target, so the page scrolls back there unless the visitor has
 * acted. Then the script lays out what global.css postponed, one part per frame to avoid a long task.
 */
const startAfterPaint = (application: string, style?: string) => `<script type="module">
const loadStyle = (href) => new Promise((done) => {
document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: done, onerror: done }))
})
const start = async () => {
observer.disconnect()
clearTimeout(timeout)
import('/${application}')
const root = document.documentElement.dataset
await Promise.allSettled([${style ? `loadStyle('/${style}'), ` : ''}...[...document.fonts].map((font) => font.load())])
root.webFonts = ''
if (!hasActed) document.querySelector(':target')?.scrollIntoView({ behavior: 'instant' })
for (const part of document.querySelectorAll('main section, footer')) {
await new Promise(requestAnimationFrame)
part.dataset.laidOut = ''
}
root.laidOut = ''
}
let hasActed = false
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
addEventListener(type, () => (hasActed = true), { once: true, passive: true })
const observer = new PerformanceObserver((list) => list.getEntriesByName('first-contentful-paint').length && start())
observer.observe({ type: 'paint', buffered: true })
const timeout = setTimeout(start, 3000)
</script>`

async function bundle(options: InlineConfig) {
  const result = await build({ root: import.meta.dirname, logLevel: 'warn', ...options })
  return (result as Rolldown.RolldownOutput).output
}

function fill(template: string, language: string, parts: Record<string, string>): string {
  return template
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace(/<!--(\w+)-->/g, (_match, part: string) => {
      const text = parts[part]
      if (text === undefined) throw new Error(`Unknown placeholder in index.html: ${part}`)
      return text
    })
    .replace(/^\s+/gm, '')
}

async function loadPrerender() {
  const outDir = join(dist, 'prerender')
  await bundle({ publicDir: false, build: { ssr: 'prerender.tsx', outDir } })
  const module: typeof import('./prerender.tsx') = await import(
    pathToFileURL(join(outDir, 'prerender.js')).href
  )
  await rm(outDir, { recursive: true })
  return module
}

async function compressSite() {
  const entries = await readdir(site, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
  await Promise.all(files.map((file) => compress(join(file.parentPath, file.name))))
}

async function compress(file: string) {
  const bytes = await readFile(file)
  if (bytes.length < MIN_BYTES_TO_COMPRESS) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

const invalidFact = findInvalidFact(ourFacts)
if (invalidFact) {
  process.stderr.write(`${invalidFact}\n`)
  process.exit(1)
}
await buildSite()
