import { delayEarlySubmit } from './contact/early-submit.ts'
import { closeMenuAutomatically } from './sections/header/close-menu.ts'

/** The application's URL; client/build.ts inserts it. */
declare const APPLICATION: string

/*
 * Handles what can't wait for the application, then loads the application. Inlined in the document to save a round trip
 * before the first paint.
 */

const form = document.querySelector('form')
const sendWithoutScript = form ? delayEarlySubmit(form) : () => {}

closeMenuAutomatically()

// The application and fonts load after the first paint, or after this long if the browser reports none. Loaded earlier,
// they would compete with the document for bandwidth and delay the paint by half a second on a simulated slow phone.
const PAINT_TIMEOUT_MS = 3000
// After this long, each font is used as soon as it loads.
const FONTS_TIMEOUT_MS = 3000

function onPainted() {
  painted.disconnect()
  clearTimeout(paintTimeout)
  Promise.all([switchToWebFonts(), loadLaterStyle()]).then(returnToTarget).then(layOutRest)
  import(APPLICATION)
    .then(({ hydrate }) => hydrate())
    .catch((error) => {
      sendWithoutScript()
      reportError(error)
    })
}

/** Switches to all fonts together, because each switch lays out the page again. */
async function switchToWebFonts() {
  const timeout = new Promise((resolve) => setTimeout(resolve, FONTS_TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}

/** Loads the styles of the content below the first view (client/build.ts). Until then, global.css hides that content. */
async function loadLaterStyle() {
  const { laterStyle } = document.documentElement.dataset
  if (!laterStyle) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: laterStyle })
  document.head.append(link)
  await new Promise((done) => {
    link.onload = link.onerror = done
  })
  delete document.documentElement.dataset.laterStyle
}

/** Unless the visitor has acted, scrolls back to the URL's target: the fonts can change the height of what is above it. */
async function returnToTarget() {
  // Wait for the animation that switches the fonts (tokens.css).
  await Promise.allSettled(document.documentElement.getAnimations().map(({ finished }) => finished))
  if (!hasActed) document.querySelector(':target')?.scrollIntoView({ behavior: 'instant' })
}

/** Lays out what global.css postponed, one part per frame to avoid a long task. */
async function layOutRest() {
  for (const part of document.querySelectorAll<HTMLElement>('main section, footer')) {
    part.dataset.laidOut = ''
    await new Promise(requestAnimationFrame)
  }
  document.documentElement.dataset.laidOut = ''
}

let hasActed = false
for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
  addEventListener(type, () => (hasActed = true), { once: true, passive: true })

const painted = new PerformanceObserver((entries) => {
  // Wait for content: the first paint may show only the background.
  if (entries.getEntriesByName('first-contentful-paint').length > 0) onPainted()
})
painted.observe({ type: 'paint', buffered: true })
// Some browsers report no paint, for example in a background tab.
const paintTimeout = setTimeout(onPainted, PAINT_TIMEOUT_MS)
