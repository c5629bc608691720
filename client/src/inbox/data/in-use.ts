import { IN_USE } from '#shared/inbox/in-use.ts'

// Longer than SESSION_CHECK_MS, so that each use is reported by at least one request.
const REPORTED_MS = 60_000
const signsOfUse = ['pointerdown', 'click', 'keydown', 'wheel', 'visibilitychange']

// Opening the page counts as use.
let usedAt = Date.now()

/** From now on, records when the owner last used the page. */
export function watchUse(): void {
  const note = () => {
    if (document.visibilityState === 'visible') usedAt = Date.now()
  }
  for (const sign of signsOfUse) document.addEventListener(sign, note, { capture: true, passive: true })
}

/** The header for a request, if the owner has just used the page. Only requests with this header extend the session. */
export const inUse = (): Record<string, string> =>
  Date.now() - usedAt < REPORTED_MS ? { [IN_USE]: '1' } : {}
