import { mark } from '#brand/mark.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { manifestPath } from '#shared/inbox/api.ts'
import { drawMark } from '../ui/draw-mark.ts'

/** The title, the robots rule and the theme colors in the inbox's `<head>`. */
export const shellHead = [
  `<title>Inbox: ${brand.name}</title>`,
  '<meta name="robots" content="noindex">',
  // Lets phones install the inbox, which iPhones need for push messages.
  `<link rel="manifest" href="${manifestPath}">`,
  ...['light', 'dark'].map(
    (scheme, theme) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colors.background[theme]}">`,
  ),
].join('')

const paths = drawMark({
  text: 'currentColor',
  accent: 'var(--color-action)',
  background: 'var(--color-background)',
})
const { width, height } = mark
const logo = `<svg class="top-bar-bob" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${paths.join('')}</svg>`

/** Looks the same as `Opening` in frame/other-pages.tsx, so that nothing moves when the application replaces this HTML. */
export const shellBody = `<div class="top-bar-bar"><p class="top-bar-brand">${logo}Inbox</p><noscript><p>The inbox needs JavaScript. Please turn it on and reload.</p></noscript></div>`
