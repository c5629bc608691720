import { mark } from '#brand/mark.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { drawMark, type MarkColors } from '../src/ui/draw-mark.ts'

const ofTheme = (theme: 0 | 1) =>
  Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, color[theme]])) as Record<
    keyof typeof colors,
    string
  >

export const lightColors = ofTheme(0)

/** The colors of the logo in both themes. */
export const [inLight, inDark]: [MarkColors, MarkColors] = [lightColors, ofTheme(1)]

const { width, height, aroundIcon = [] } = mark
const side = Math.max(width, height)
/** A square `viewBox` with the logo in its middle. */
const frameMark = `${(width - side) / 2} ${(height - side) / 2} ${side} ${side}`

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const title = `<title>${escapeXml(brand.name)}</title>`

/** The logo without a background, in the colors of the browser's theme. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frameMark}">${title}<style>@media(prefers-color-scheme:dark){${darkRules()}}</style>
  ${drawMark(inLight).join('\n  ')}
</svg>
`

function darkRules(): string {
  const isDrawn = (role: keyof MarkColors, use: 'fill' | 'stroke') =>
    mark.paths.some((path) => path[use] === role)
  return (['text', 'accent', 'background'] as const)
    .flatMap((role) => (['fill', 'stroke'] as const).map((use) => ({ role, use })))
    .filter(({ role, use }) => isDrawn(role, use))
    .map(({ role, use }) => `[${use}="${inLight[role]}"]{${use}:${inDark[role]}}`)
    .join('')
}

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
