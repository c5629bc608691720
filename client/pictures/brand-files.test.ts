import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
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
