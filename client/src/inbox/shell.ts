import { brand } from '#shared/business.ts'
import { themeColors } from '#shared/theme-colors.ts'

/** What the inbox's document has in its `<head>`. Nothing in it depends on who asks. */
export const shellHead = [
  `<title>Inbox: ${brand.name}</title>`,
  '<meta name="robots" content="noindex">',
  ...Object.entries(themeColors).map(
    ([scheme, color]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`,
  ),
].join('')

/** What the page shows until the application has loaded: no words, so that a slow phone paints it once. */
export const shellBody =
  '<noscript><p>The inbox needs JavaScript. Please turn it on and reload.</p></noscript>'
