import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { shareImage } from '#brand/share-image.ts'
import { brand } from '#facts/brand.ts'
import { portfolio } from '#facts/portfolio.ts'
import { chromiumFlags, findChromium } from '../../server/proof/testing/find-chromium.ts'
import { newDataDir, startProgram } from '../../server/proof/testing/start-program.ts'
import { drawMark } from '../src/ui/draw-mark.ts'

// Draws the icons, the link preview and the portfolio screenshots.

const client = join(import.meta.dirname, '..')
const publicDir = join(client, 'brand/public')

/** The windows to capture, in CSS pixels. work-card.tsx must match them. `quality` keeps each AVIF file below 30 kB. */
const captures = [
  { ending: '', width: 960, height: 640, deviceScaleFactor: 1.25, quality: 62 },
  { ending: '-phone', width: 390, height: 844, deviceScaleFactor: 2, quality: 58 },
]

const tokens = await readFile(join(client, 'src/styles/tokens.css'), 'utf8')
function token(name: string): string {
  const value = new RegExp(`--${name}: (#\\w+);`).exec(tokens)?.[1]
  if (!value) throw new Error(`tokens.css has no color ${name}.`)
  return value
}
const color = {
  paper: token('paper-100'),
  ink: token('ink-900'),
  orange: token('orange-700'),
  lightOrange: token('orange-400'),
  blue: token('blue-700'),
  night: token('night-900'),
  muted: token('ink-600'),
}

const drawLogo = (accent: string, background: string, text: string) =>
  drawMark({ accent, background, text })
    .map((path) => `\n  ${path}`)
    .join('')

/** The margin keeps the logo inside the round mask that phones apply to icons. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${color.night}"/><path d="M32 0v13" stroke="${color.paper}" stroke-width="1.8"/><g transform="translate(20 11) scale(1.2)">${drawLogo(color.lightOrange, color.night, color.paper)}</g></svg>`

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 36 36"><title>${escapeXml(brand.name)}</title><style>path:first-of-type{stroke:${color.ink}}@media (prefers-color-scheme:dark){path:first-of-type{stroke:${color.paper}}}</style>${drawLogo(color.orange, color.paper, color.ink)}</svg>`

async function previewHtml(): Promise<string> {
  const loadFont = (file: string) =>
    readFile(join(client, '../node_modules/@fontsource-variable', file), 'base64')
  const display = await loadFont('bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2')
  const text = await loadFont('instrument-sans/files/instrument-sans-latin-wght-normal.woff2')
  return shareImage({
    colors: {
      background: color.paper,
      text: color.ink,
      muted: color.muted,
      accent: color.orange,
      line: color.blue,
    },
    fonts: { display, text },
    logo: drawLogo(color.orange, color.paper, color.ink),
  })
}

async function screenshot(html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(html)
  await page.evaluate(() => document.fonts.ready)
  const png = await page.screenshot()
  await page.close()
  return png
}

const drawIcon = (size: number) =>
  screenshot(`<style>body{margin:0}svg{display:block;width:100vw}</style>${icon}`, size, size)

/** An .ico file with a single PNG: a directory header, then the image. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

async function captureWork(siteUrl: string, work: (typeof portfolio)[number]) {
  for (const { ending, width, height, deviceScaleFactor, quality } of captures) {
    const page = await browser.newPage({ viewport: { width, height }, deviceScaleFactor })
    await page.goto(siteUrl + work.url)
    await page.evaluate(() => document.fonts.ready)
    const picture = sharp(await page.screenshot())
    const file = join(publicDir, work.image + ending)
    await picture.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(`${file}.jpg`)
    await picture.clone().avif({ quality, effort: 6 }).toFile(`${file}.avif`)
    await page.close()
  }
}

using dataDir = newDataDir()
const program = await startProgram({ DATA_DIR: dataDir.path })
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
await writeFile(join(publicDir, 'favicon.svg'), favicon)
await writeFile(join(publicDir, 'favicon.ico'), toIco(await drawIcon(48), 48))
await writeFile(join(publicDir, 'apple-touch-icon.png'), await drawIcon(180))
for (const size of [192, 512]) await writeFile(join(publicDir, `icon-${size}.png`), await drawIcon(size))
await writeFile(join(publicDir, 'og.png'), await screenshot(await previewHtml(), 1200, 630))
for (const work of portfolio) await captureWork(program.url, work)
await browser.close()
await program.stop()
