import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { shareImage } from '#brand/share-image.ts'
import { portfolio } from '#facts/portfolio.ts'
import { chromiumFlags, findChromium } from '../../server/proof/testing/find-chromium.ts'
import { newDataDir, startProgram } from '../../server/proof/testing/start-program.ts'
import { drawMark, favicon, icon, inLight, toIco } from '../pictures/icons.ts'

// Draws the icons, the share image and the portfolio pictures.

const publicDir = dirname(fileURLToPath(import.meta.resolve('#brand/public/og.png')))

/**
 * The windows to capture, in CSS pixels. They must match the sizes in portfolio.tsx. `quality`
 * keeps each AVIF file below 30 kB.
 */
const captures = [
  { ending: '', width: 960, height: 640, deviceScaleFactor: 1.25, quality: 62 },
  { ending: '-phone', width: 460, height: 640, deviceScaleFactor: 2, quality: 58 },
]

const loadFont = (name: string) =>
  readFile(
    fileURLToPath(import.meta.resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`)),
    'base64',
  )

/**
 * Runs in the page. `document.fonts.ready` doesn't wait for fonts that the first layout has yet to
 * request.
 */
const loadFonts = () => Promise.all([...document.fonts].map((font) => font.load()))

async function screenshot(html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(html)
  await page.evaluate(loadFonts)
  const png = await page.screenshot()
  await page.close()
  return png
}

const drawIcon = (size: number) =>
  screenshot(`<style>body{margin:0}svg{display:block;width:100vw}</style>${icon}`, size, size)

async function captureWork(siteUrl: string, work: (typeof portfolio)[number]) {
  for (const { ending, width, height, deviceScaleFactor, quality } of captures) {
    const page = await browser.newPage({
      viewport: { width, height },
      deviceScaleFactor,
      reducedMotion: 'reduce',
    })
    await page.goto(siteUrl + work.url)
    await page.evaluate(loadFonts)
    // A font that arrives after the first layout can place letters a fraction of a pixel off. After
    // a reload, it is cached.
    await page.reload()
    await page.evaluate(loadFonts)
    // On a phone, the note that this is a sample would take the place of the site's own button.
    if (ending) await page.evaluate(() => scrollTo(0, document.querySelector('header')?.offsetTop ?? 0))
    const picture = sharp(await page.screenshot({ animations: 'disabled' }))
    const file = join(publicDir, work.image + ending)
    await picture.clone().jpeg({ quality: 80, mozjpeg: true }).toFile(`${file}.jpg`)
    await picture.clone().avif({ quality, effort: 6 }).toFile(`${file}.avif`)
    await page.close()
  }
}

const save = (name: string, content: string | Buffer) => writeFile(join(publicDir, name), content)

using dataDir = newDataDir()
const program = await startProgram({ DATA_DIR: dataDir.path })
const browser = await chromium.launch({
  executablePath: findChromium(),
  args: chromiumFlags,
})
const fonts = { display: await loadFont('bricolage-grotesque'), text: await loadFont('instrument-sans') }
const logo = drawMark(inLight).join('')
await save('favicon.svg', favicon)
await save('favicon.ico', toIco(await drawIcon(48), 48))
await save('apple-touch-icon.png', await drawIcon(180))
for (const size of [192, 512]) await save(`icon-${size}.png`, await drawIcon(size))
await save('og.png', await screenshot(shareImage({ colors: inLight, fonts, logo }), 1200, 630))
for (const work of portfolio) await captureWork(program.url, work)
await browser.close()
await program.stop()

process.stdout.write(`The pictures are in ${publicDir}\n`)
