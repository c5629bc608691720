import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

type Prerender = typeof import('./prerender.tsx')

const dist = join(import.meta.dirname, 'dist')
const site = join(dist, 'site')
const pages = join(dist, 'pages')

// Smaller than one network packet: compressing saves nothing.
const WORTH_COMPRESSING_BYTES = 1024
const compressible = new Set(['.js', '.css', '.html', '.svg', '.txt', '.json'])

/** Builds everything that is served: `dist/pages` (documents) and `dist/site` (files, with their compressed forms). */
async function buildSite() {
  // Before React is loaded: its development build is larger and renders other markup.
  process.env.NODE_ENV = 'production'
  await rm(dist, { recursive: true, force: true })
  await build({ root: import.meta.dirname, logLevel: 'warn' })
  const template = await inlineStyles(await takeTemplate())
  const { renderPages } = await loadPrerender()
  await mkdir(pages, { recursive: true })
  for (const { file, head, markup } of await renderPages()) {
    await writeFile(join(pages, file), fill(template, { head, app: withoutTrailingSlashes(markup) }))
  }
  await compressSite()
}

/** Vite's document serves as the template of every page and is not served itself. */
async function takeTemplate(): Promise<string> {
  const file = join(site, 'index.html')
  const html = await readFile(file, 'utf8')
  await rm(file)
  // The page can be read and used without the script: fonts and pictures go first.
  const attributes = `fetchpriority="low" integrity="${await integrityOf(html)}"`
  return html.replace('<script type="module"', `<script type="module" ${attributes}`)
}

/** The digest of the script that the document starts: altered on the way, it does not run. */
async function integrityOf(html: string): Promise<string> {
  const path = /<script type="module"[^>]* src="\/(assets\/[^"]+)"/.exec(html)?.[1]
  if (!path) throw new Error('The build made no script.')
  const bytes = await readFile(join(site, path))
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}

async function inlineStyles(html: string): Promise<string> {
  const link = /<link rel="stylesheet"[^>]*href="\/(assets\/[^"]+\.css)"[^>]*>/
  const path = link.exec(html)?.[1]
  if (!path) throw new Error('The build made no style sheet.')
  const styles = (await readFile(join(site, path), 'utf8')).trim()
  await rm(join(site, path))
  const inlined = html.replace(link, () => `<style>${styles}</style>`)
  if (link.test(inlined)) throw new Error('The build made more than one style sheet.')
  return inlined
}

function fill(template: string, parts: Record<string, string>): string {
  return template
    .replace(/<!--(\w+)-->/g, (_whole, part: string) => {
      const text = parts[part]
      if (text === undefined) throw new Error(`The template names an unknown part: ${part}`)
      return text
    })
    .replace(/^\s+/gm, '')
}

/** React closes void elements as XML does, which HTML ignores and its checker remarks on. */
const withoutTrailingSlashes = (markup: string) =>
  markup.replace(/<((?:br|img|input|source)\b[^>]*)\/>/g, '<$1>')

async function loadPrerender(): Promise<Prerender> {
  const outDir = join(dist, 'prerender')
  await build({
    root: import.meta.dirname,
    logLevel: 'warn',
    publicDir: false,
    build: { ssr: 'prerender.tsx', outDir },
  })
  const module: Prerender = await import(pathToFileURL(join(outDir, 'prerender.js')).href)
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
  if (bytes.length < WORTH_COMPRESSING_BYTES) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

await buildSite()
