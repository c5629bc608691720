// In a hidden tab no frame comes.
const AT_LAST_MS = 100

/** Resolves when the next frame is on the screen: the answer to a touch is seen before the work that follows it. */
export const nextFrame = () =>
  new Promise<unknown>((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, AT_LAST_MS)
  })
