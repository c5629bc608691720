// Limits the wait, because a hidden tab renders no frames.
const TIMEOUT_MS = 100

/** Resolves after the next paint, so that feedback is visible before slow work starts. */
export const nextFrame = () =>
  new Promise<unknown>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, TIMEOUT_MS)
  })
