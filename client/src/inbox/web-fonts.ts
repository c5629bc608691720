// After this long, each font is used as soon as it loads.
const TIMEOUT_MS = 3000

/** Loads the fonts after the list, which they would delay on a slow phone. */
export async function switchToWebFonts(): Promise<void> {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}
