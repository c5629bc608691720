/** Milliseconds since 1970 by the server's clock: a phone's may be off, and the undo period is only 15 s. */
export const serverNow = (): number => Date.now()
