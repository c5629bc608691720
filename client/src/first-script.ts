/*
 * After the first paint, loads the application, the fonts, and the style sheet, if the document doesn't link it. Earlier, they
 * would compete with the document. Some browsers report no paint, so they load after three seconds at the latest.
 */

/** The application's URL, and the style sheet's if the document doesn't link it. client/build.ts inserts them. */
declare const APPLICATION: string
declare const STYLE: string | null

const PATIENCE_MS = 3_000

// Whether the visitor has done anything since the URL's anchor was opened: on the first page, or by a link.
let hasActed = false
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(type, () => (hasActed = true), { passive: true })
addEventListener('hashchange', () => (hasActed = false))

const painted = new PerformanceObserver((list) => {
  if (list.getEntriesByName('first-contentful-paint').length > 0) start()
})
painted.observe({ type: 'paint', buffered: true })
const timeout = setTimeout(start, PATIENCE_MS)

async function start() {
  painted.disconnect()
  clearTimeout(timeout)
  import(APPLICATION)
  const root = document.documentElement.dataset
  await Promise.allSettled([loadStyle(), ...Array.from(document.fonts, (font) => font.load())])
  root.webFonts = ''
  // Styles and fonts have changed the height of what is above the URL's target.
  if (!hasActed) document.querySelector(':target')?.scrollIntoView({ behavior: 'instant' })
  // Lays out what global.css postponed, one part per frame to avoid a long task.
  for (const part of document.querySelectorAll<HTMLElement>('main section, footer')) {
    await new Promise(requestAnimationFrame)
    part.dataset.laidOut = ''
  }
  root.laidOut = ''
}

function loadStyle() {
  if (STYLE === null) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLE })
  return new Promise((done) => {
    link.onload = link.onerror = done
    document.head.append(link)
  })
}
