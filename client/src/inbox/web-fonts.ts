// The page waits this long to switch to all fonts together. After that, it uses each font as soon as that font loads.
const TIMEOUT_MS = 3000

/** Loads the fonts once the browser is idle: loading them earlier would delay the list on a slow phone. */
export async function switchToWebFonts(): Promise<void> {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}
