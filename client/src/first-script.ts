/*
 * After the first paint, loads the application and the fonts. Earlier, they would compete with the
 * document and delay the paint. The page is complete without this script, and so is the form: it
 * only makes them better.
 */

/** The application's URL. client/bundle.ts inserts it. */
declare const APPLICATION: string

// A hidden tab paints nothing.
const PATIENCE_MS = 3_000

// Whether the visitor has done anything since the URL's anchor was opened: on the first page, or by
// a link.
let hasActed = false
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(type, () => (hasActed = true), { passive: true })
addEventListener('hashchange', () => (hasActed = false))

await Promise.race([firstPaint(), new Promise((done) => setTimeout(done, PATIENCE_MS))])
import(APPLICATION)
await Promise.allSettled(Array.from(document.fonts, (font) => font.load()))
const root = document.documentElement.dataset
root.webFonts = ''
// The fonts have changed the height of what is above the URL's target.
if (!hasActed) document.querySelector(':target')?.scrollIntoView({ behavior: 'instant' })
// Lays out what global.css postponed, one part per frame to avoid a long task.
for (const part of document.querySelectorAll<HTMLElement>('main section, footer')) {
  await new Promise(requestAnimationFrame)
  part.dataset.laidOut = ''
}
root.laidOut = ''

/** Counting frames instead is not enough: the second one can begin before the first is painted. */
function firstPaint() {
  return new Promise<void>((done) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) done()
    })
    observer.observe({ type: 'paint', buffered: true })
  })
}
