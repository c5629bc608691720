import { hash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { english, locale } from '#shared/computed-facts.ts'
import { workerPath } from '#shared/inbox/api.ts'
import { RETENTION, SETTINGS } from '#shared/pages.ts'
import { buildFirst, bundle, styleOf } from './bundle.ts'

const dist = fileURLToPath(import.meta.resolve('#dist'))
const site = join(dist, 'site')
const pages = join(dist, 'pages')

const source = (file: string) => join(import.meta.dirname, 'src', file)

const compressible = new Set(['.js', '.css', '.html', '.svg', '.txt', '.json'])

/**
 * Builds `dist/pages` (the HTML documents) and `dist/site` (all other files, with compressed
 * copies).
 */
async function buildSite() {
  // Must be set before React is loaded: its development build renders different markup.
  process.env.NODE_ENV = 'production'
  await rm(dist, { recursive: true, force: true })
  const template = await readFile(join(import.meta.dirname, 'index.html'), 'utf8')
  const { lateStyle, firstStyle, script } = await buildApplication()
  const { renderPages, renderInbox } = await loadPrerender(lateStyle)
  await mkdir(pages, { recursive: true })
  for (const { file, head, markup } of renderPages()) {
    const attributes = `lang="${locale}" data-settings="${SETTINGS}" data-retention="${RETENTION}"`
    // The home page links its style sheet further down: see ui/late-styles.tsx.
    const link = markup.includes(lateStyle) ? '' : `<link rel="stylesheet" href="${lateStyle}">`
    const parts = { head, style: `<style>${firstStyle}</style>${link}`, script, app: markup }
    await writeFile(join(pages, file), fill(template, attributes, parts))
  }
  await cp(join(import.meta.dirname, 'public'), site, { recursive: true })
  const inbox = { ...renderInbox(), ...(await buildInbox()) }
  await writeFile(join(pages, 'inbox.html'), fill(template, `lang="${english}"`, inbox))
  await compressSite()
}

/**
 * Builds the application. Returns the styles of the first view, the address of the style sheet with
 * all others, and the script of a document.
 */
async function buildApplication() {
  const output = await bundle({})
  const first = await buildFirst(output, {
    script: source('first-script.ts'),
    view: source('first-view.ts'),
  })
  const whole = styleOf(output)
  // app.tsx imports the first view first.
  if (!whole.text.startsWith(first.style))
    throw new Error("The application's style sheet must begin with the styles of the first view.")
  const late = whole.text.slice(first.style.length)
  const lateStyle = `/assets/style-${hash('sha256', late, 'base64url').slice(0, 8)}.css`
  await rm(join(site, whole.fileName))
  await writeFile(join(site, lateStyle), late)
  return { lateStyle, firstStyle: first.style, script: first.script }
}

/**
 * A separate build, so that none of the inbox's code ends up in the public page. Returns the same
 * for its document.
 */
async function buildInbox() {
  const output = await bundle({
    publicDir: false,
    build: {
      emptyOutDir: false,
      rolldownOptions: {
        input: {
          main: source('inbox/main.tsx'),
          worker: source('inbox/push/worker.ts'),
        },
        output: {
          // The worker's address stays the same: browsers look there for a newer version.
          entryFileNames: ({ name }) => (name === 'worker' ? workerPath.slice(1) : 'assets/inbox-[hash].js'),
          chunkFileNames: 'assets/inbox-[name]-[hash].js',
        },
      },
    },
  })
  // It can request data while the application is still loading.
  const first = await buildFirst(output, { script: source('inbox/first-script.ts') })
  const style = styleOf(output)
  await rm(join(site, style.fileName))
  return { style: `<style>${style.text}</style>`, script: first.script }
}

/** The parts of a document that index.html names. */
type Parts = Record<'head' | 'style' | 'script' | 'app', string>

/** Fills in the attributes of `<html>`, and the parts of the document. */
const fill = (template: string, attributes: string, parts: Parts): string =>
  template
    .replace('lang="en"', attributes)
    .replace(/<!--(\w+)-->/g, (_match, part: keyof Parts) => parts[part])
    .replace(/^\s+/gm, '')

async function loadPrerender(lateStyle: string) {
  const outDir = join(dist, 'prerender')
  const define = { LATE_STYLE: JSON.stringify(lateStyle) }
  await bundle({ publicDir: false, define, build: { ssr: 'prerender.tsx', outDir } })
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
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

// The facts are valid: server/spam/build.ts, which runs before, has checked them.
await buildSite()
