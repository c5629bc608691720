// A hidden tab renders no frames, so the wait needs a limit.
const TIMEOUT_MS = 100

/** Resolves after the next paint, so that feedback is visible before slow work starts. */
export const nextFrame = () =>
  new Promise<unknown>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, TIMEOUT_MS)
  })
