import { bobShape } from '#brand/mark.ts'
import { brand } from '#shared/business/plans.ts'
import { themeColors } from '#shared/theme-colors.ts'

/** The content of the inbox's `<head>`. It is the same for everybody. */
export const shellHead = [
  `<title>Inbox: ${brand.name}</title>`,
  '<meta name="robots" content="noindex">',
  ...Object.entries(themeColors).map(
    ([scheme, color]) =>
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${color}">`,
  ),
].join('')

const { string, body, ring } = bobShape
const bob = `<svg class="top-bar-bob" viewBox="0 0 20 36" width="20" height="36" aria-hidden="true"><path d="${string}" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="${body}" fill="var(--color-action)"/><path d="${ring}" fill="none" stroke="var(--color-background)" stroke-width="1.25"/></svg>`

/** The same as frame/opening.tsx, so that nothing moves when the application replaces it. */
export const shellBody = `<div class="top-bar-bar"><p class="top-bar-brand">${bob}Inbox</p><noscript><p>The inbox needs JavaScript. Please turn it on and reload.</p></noscript></div>`
