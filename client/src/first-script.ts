import { holdEarlySubmit } from './contact/early-submit.ts'

/** The application's URL; client/build.ts inserts it. */
declare const APPLICATION: string

/*
 * Inlined in the document: as a file, this script would delay the first paint on a slow phone by a round trip. It handles
 * what can't wait for the application, then loads it.
 */

const form = document.querySelector('form')
const sendWithoutScript = form ? holdEarlySubmit(form) : () => {}

// Closes the menu before the application is loaded.
const menu = document.querySelector<HTMLElement>('[popover]')
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a') && menu.matches(':popover-open')) menu.hidePopover()
})
menu?.addEventListener('focusout', ({ relatedTarget }) => {
  const isOutside = relatedTarget instanceof Element && !relatedTarget.closest('header')
  if (isOutside && menu.matches(':popover-open')) menu.hidePopover()
})

// The application and fonts load after the first paint: earlier, they would compete with the document for bandwidth and
// delay the paint by half a second on a simulated slow phone.
const PAINT_TIMEOUT_MS = 3000
// After this, each font is used as it arrives.
const FONTS_TIMEOUT_MS = 3000

function onPainted() {
  painted.disconnect()
  clearTimeout(paintTimeout)
  switchFonts().then(layOutRest)
  import(APPLICATION).then(({ hydrate }) => hydrate()).catch(sendWithoutScript)
}

/** Switches to all fonts at once, because each switch lays out the whole page again. */
async function switchFonts() {
  const late = new Promise((resolve) => setTimeout(resolve, FONTS_TIMEOUT_MS))
  await Promise.race([late, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.ownFonts = ''
}

/** Lays out what global.css postponed, one part per frame to avoid a long task. */
async function layOutRest() {
  for (const part of document.querySelectorAll<HTMLElement>('main section, footer')) {
    part.dataset.painted = ''
    await new Promise(requestAnimationFrame)
  }
  document.documentElement.dataset.painted = ''
}

const painted = new PerformanceObserver((entries) => {
  // The first paint may be only the background.
  if (entries.getEntriesByName('first-contentful-paint').length > 0) onPainted()
})
painted.observe({ type: 'paint', buffered: true })
// Some browsers report no paint, for instance in a background tab.
const paintTimeout = setTimeout(onPainted, PAINT_TIMEOUT_MS)
