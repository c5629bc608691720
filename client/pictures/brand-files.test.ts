import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { portfolio } from '#facts/portfolio.ts'
import { favicon } from './icons.ts'

const read = (name: string) => readFileSync(fileURLToPath(import.meta.resolve(`#brand/public/${name}`)))

const toColor = ([red = 0, green = 0, blue = 0]: Uint8Array) =>
  `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`

/** The color of the upper left corner. */
const cornerOf = async (picture: Buffer) =>
  toColor(
    await sharp(picture).removeAlpha().extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer(),
  )

test('favicon.svg is what `npm run brand` draws from the name, the logo and the colors', () => {
  expect(read('favicon.svg').toString()).toBe(favicon)
  expect(favicon).toContain(`<title>${brand.name.replaceAll('&', '&amp;')}</title>`)
})

test.each([
  ['apple-touch-icon.png', 180],
  ['icon-192.png', 192],
  ['icon-512.png', 512],
])('%s has the right size and the dark background color', async (name, size) => {
  const { width, height } = await sharp(read(name)).metadata()

  expect([width, height]).toEqual([size, size])
  expect(await cornerOf(read(name))).toBe(colors.background[1])
})

test('favicon.ico contains one picture of 48 pixels', async () => {
  const ico = read('favicon.ico')
  const { width, format } = await sharp(ico.subarray(22)).metadata()

  expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 48, 48])
  expect([width, format]).toEqual([48, 'png'])
})

test('the share image has the right size and the light background color', async () => {
  const { width, height } = await sharp(read('og.png')).metadata()

  expect([width, height]).toEqual([1200, 630])
  expect(await cornerOf(read('og.png'))).toBe(colors.background[0])
})

test.each(portfolio)('the pictures of $title have the sizes that its card needs', async ({ image }) => {
  for (const [ending, size] of [
    ['', [1200, 800]],
    ['-phone', [780, 1040]],
  ] as const)
    for (const type of ['avif', 'jpg']) {
      const { width, height } = await sharp(read(`${image.slice(1)}${ending}.${type}`)).metadata()
      expect([width, height]).toEqual(size)
    }
})
