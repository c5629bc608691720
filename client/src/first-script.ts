import { holdEarlySubmit } from './contact/early-submit.ts'

/** Where the application stands; client/build.ts fills it in. */
declare const APPLICATION: string

/*
 * This script stands in the document itself: as a file of its own it would cost a slow phone a round trip before the
 * first paint. It does what cannot wait for the application, and loads that afterwards.
 */

const form = document.querySelector('form')
const sendWithoutScript = form ? holdEarlySubmit(form) : () => {}

// Also while the application is still on its way.
const menu = document.querySelector<HTMLElement>('[popover]')
menu?.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('a') && menu.matches(':popover-open')) menu.hidePopover()
})
menu?.addEventListener('focusout', ({ relatedTarget }) => {
  const isOutside = relatedTarget instanceof Element && !relatedTarget.closest('header')
  if (isOutside && menu.matches(':popover-open')) menu.hidePopover()
})

// The page can be read and used as it comes. Asked for before the first view is painted, application and fonts would share
// the line with the document: on a simulated slow phone that costs half a second.
const PAINTED_AT_LAST_MS = 3000
// Nothing else waits longer for them; the page then takes each as it comes.
const FONTS_AT_LAST_MS = 3000

function onPainted() {
  painted.disconnect()
  clearTimeout(atLast)
  setInOwnFonts().then(showRest)
  import(APPLICATION).then(({ hydrate }) => hydrate()).catch(sendWithoutScript)
}

/** One change, when all are there: each alone would lay the whole page out anew. */
async function setInOwnFonts() {
  const late = new Promise((resolve) => setTimeout(resolve, FONTS_AT_LAST_MS))
  await Promise.race([late, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.ownFonts = ''
}

/** What global.css leaves for later, a part a frame: together they are one long task. */
async function showRest() {
  for (const part of document.querySelectorAll<HTMLElement>('main section, footer')) {
    part.dataset.painted = ''
    await new Promise(requestAnimationFrame)
  }
  document.documentElement.dataset.painted = ''
}

const painted = new PerformanceObserver((entries) => {
  // The very first paint may be that of an empty ground.
  if (entries.getEntriesByName('first-contentful-paint').length > 0) onPainted()
})
painted.observe({ type: 'paint', buffered: true })
// Where the browser tells of no paint, in a tab in the background for instance.
const atLast = setTimeout(onPainted, PAINTED_AT_LAST_MS)
