// From the browser's cache, the fonts take less, and the data of the first view as long.
const PATIENCE_MS = 200
const LOADED = 'fonts-loaded'

const loadFonts = () => Promise.allSettled(Array.from(document.fonts, (font) => font.load()))

/**
 * Shows the web fonts, if an earlier visit has loaded them. Call this before the first view: later,
 * they would move it.
 */
export async function showFonts() {
  if (!localStorage.getItem(LOADED)) return
  const timeout = new Promise((done) => setTimeout(done, PATIENCE_MS))
  if (await Promise.race([loadFonts(), timeout])) document.documentElement.dataset.webFonts = ''
}

/**
 * Loads the web fonts for the next visit. Before the browser is idle, that would delay the list on
 * a slow phone.
 */
export async function keepFonts() {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  await loadFonts()
  localStorage.setItem(LOADED, 'yes')
}
