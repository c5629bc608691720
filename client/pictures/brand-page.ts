import { statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { portfolio } from '#facts/portfolio.ts'
import { drawMark } from '../src/ui/draw-mark.ts'
import { brandPageStyle } from './brand-page-style.ts'
import { formatRatio, type Pair } from './contrast.ts'
import { frameMark, inDark, inLight } from './icons.ts'

type Parts = {
  /** The folder that the page is written to. */
  folder: string
  /** The folder with the pictures. */
  publicDir: string
  /** WOFF2 files in base64. */
  fonts: { display: string; text: string }
  contrasts: Pair[]
}

const themes = [
  { theme: 'light', logo: inLight },
  { theme: 'dark', logo: inDark },
] as const

/** A document that shows everything `npm run brand` draws, and the colors with their contrast. */
export function brandPage({ folder, publicDir, fonts, contrasts }: Parts): string {
  const picture = (name: string, width: number, className = '') => {
    const file = join(publicDir, name)
    const address = encodeURI(relative(folder, file).replaceAll(sep, '/'))
    return `<figure><img src="${address}" width="${width}" class="${className}" alt=""><figcaption>${name}<br>${formatSize(statSync(file).size)}</figcaption></figure>`
  }
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${brand.name}: icons, pictures and colors</title>
<style>${brandPageStyle(fonts)}</style>
<h1>${brand.name}</h1>
<p>${brand.slogan}. ${brand.offer}.</p>
<h2>Both themes</h2>
<div class="row">${themes.map(({ theme, logo }) => sample(theme, drawMark(logo).join(''))).join('')}</div>
<h2>Icons</h2>
<div class="row">${themes.map(({ theme }) => `<div class="tabs ${theme}">${[16, 32, 48].map((size) => picture('favicon.svg', size)).join('')}</div>`).join('')}</div>
<div class="row">${picture('favicon.ico', 48, 'card')}${picture('apple-touch-icon.png', 90, 'rounded')}${picture('icon-192.png', 96, 'round')}${picture('icon-512.png', 256, 'card')}</div>
<h2>Share image</h2>
${picture('og.png', 600, 'card')}
<h2>Portfolio</h2>
${portfolio.map(({ title, image }) => `<h3>${title}</h3><div class="row">${['.avif', '.jpg'].map((type) => picture(image + type, 400, 'card') + picture(`${image}-phone${type}`, 162, 'card')).join('')}</div>`).join('')}
<h2>Colors</h2>
<table><tr><th>Name<th colspan="2">Light<th colspan="2">Dark</tr>${Object.entries(colors).map(describeColor).join('')}</table>
<h2>Contrast</h2>
<div class="row">${themes.map(({ theme }) => `<div><h3>In the ${theme} theme</h3>${contrastTable(contrasts.filter((pair) => pair.theme === theme))}</div>`).join('')}</div>
`
}

/** The logo, text, buttons and the footer in one theme. */
const sample = (theme: 'light' | 'dark', logo: string) => `<div class="sample ${theme}">
<svg viewBox="${frameMark}" width="72" height="72">${logo}</svg>
<b class="heading">${brand.slogan.replace(/\S+$/, '<em>$&</em>')}.</b>
<p>${brand.name} is in ${brand.city}. <a>Links</a> look like this.</p>
<p class="muted">Quiet text, <span class="error">an error</span>, <span class="success">a success</span>.</p>
<div class="panel"><span class="button">A button</span> <span class="button hover">Pointed at</span> <span class="button outlined">Another</span></div>
<div class="footer">In the footer: ${brand.phone} <span class="quiet">and quiet text</span></div>
</div>`

const describeColor = ([name, [light, dark]]: [string, readonly [string, string]]) =>
  `<tr><td>${name}${[light, dark].map((color) => `<td><i style="background:${color}"></i><td>${color}`).join('')}</tr>`

const contrastTable = (pairs: Pair[]) =>
  `<table><tr><th>Color<th>on<th>Sample<th>Contrast<th>Needed</tr>${pairs
    .map(
      ({ front, back, colors: [color, behind], ratio, needed }) =>
        `<tr${ratio < needed ? ' class="faint"' : ''}><td>${front}<td>${back}<td><b style="padding:0 .5em;color:${color};background:${behind}">Aa 123</b><td>${formatRatio(ratio)}${ratio < needed ? ' is too low' : ''}<td>${needed}</tr>`,
    )
    .join('')}</table>`

const formatSize = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
