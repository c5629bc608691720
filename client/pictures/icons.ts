import { mark } from '#brand/mark.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'

type Colors = Record<keyof typeof colors, string>

const ofTheme = (theme: 0 | 1) =>
  Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, color[theme]])) as Colors

export const inLight = ofTheme(0)
const inDark = ofTheme(1)

/** The logo's paths as SVG, in the colors of a theme. */
export function drawMark(colors: Colors, paths = mark.paths): string[] {
  const inColor = { none: 'none', ...colors }
  return paths.map(({ d, fill, stroke, strokeWidth }) => {
    const line = stroke ? ` stroke="${inColor[stroke]}" stroke-width="${strokeWidth}"` : ''
    return `<path d="${d}" fill="${inColor[fill]}"${line}/>`
  })
}

const { width, height, aroundIcon = [] } = mark
const side = Math.max(width, height)
/** A square `viewBox` with the logo in its middle. */
const frameMark = `${(width - side) / 2} ${(height - side) / 2} ${side} ${side}`

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const title = `<title>${escapeXml(brand.name)}</title>`

/** Replace the colors of the light theme, whatever the logo uses them for. */
const darkRules = (['text', 'accent', 'background'] as const)
  .flatMap((role) => ['fill', 'stroke'].map((use) => `[${use}="${inLight[role]}"]{${use}:${inDark[role]}}`))
  .join('')

/** The logo without a background, in the colors of the browser's theme. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frameMark}">${title}<style>@media(prefers-color-scheme:dark){${darkRules}}</style>
  ${drawMark(inLight).join('\n  ')}
</svg>
`

const ICON = 64
// Phones can crop an icon to a circle whose diameter is four fifths of the icon's width. The whole
// logo, with a margin, must fit into that circle.
const scale = Number(((ICON * 0.772) / Math.hypot(width, height)).toFixed(2))
const place = [width, height].map((length) => Number(((ICON - scale * length) / 2).toFixed(2)))

/** The logo on a background, for phones. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${ICON} ${ICON}">${title}<rect width="${ICON}" height="${ICON}" fill="${inDark.background}"/><g transform="translate(${place.join(' ')}) scale(${scale})">${drawMark(inDark, [...aroundIcon, ...mark.paths]).join('')}</g></svg>`

/** An .ico file with a single PNG: a directory header, then the image. */
export function toIco(png: Buffer, size: number): Buffer {
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
