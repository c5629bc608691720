// After this, each font is used as it arrives.
const TIMEOUT_MS = 3000

/** Fonts load after the list: on a slow phone, they would keep it waiting. */
export async function switchToWebFonts(): Promise<void> {
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve))
  const timeout = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS))
  await Promise.race([timeout, Promise.allSettled([...document.fonts].map((font) => font.load()))])
  document.documentElement.dataset.webFonts = ''
}
