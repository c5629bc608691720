import type { Measured } from '../fact-checks/facts.ts'

/**
 * Figures for this site's own page, from `npm run bench -- page`; measure again after each large
 * change. `kilobytes` is the size of the page's compressed HTML, scripts and fonts, rounded up.
 * `milliseconds` is the time until a slow phone shows the first screen, rounded up. Set `measured`
 * to `undefined` to leave the figures out.
 */
export const measured: Measured | undefined = { lighthouse: 100, kilobytes: 195, milliseconds: 700 }
