// After this long, each font is used as soon as it loads.
const TIMEOUT_MS = 3000

/** Loads the fonts once the browser is idle: on a slow phone, they would delay the list. */
export async function switchToWebFonts(): Promise<void> {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}
