// The page switches to all fonts together when the last one has loaded, but after this long, to each one as it loads.
const TIMEOUT_MS = 3000

/** Loads the fonts once the browser is idle: loading them earlier would delay the list on a slow phone. */
export async function switchToWebFonts(): Promise<void> {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}
