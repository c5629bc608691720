// Smaller differences are ignored: the `Date` header has whole seconds, and the response takes time to arrive.
const TOLERANCE_MS = 2_000

let offsetMs = 0

/** Compares the device's clock with the server's, given the `Date` header of a response. */
export function noteServerTime(date: string | null): void {
  const measured = Date.parse(date ?? '') - Date.now()
  if (Number.isNaN(measured)) return
  offsetMs = Math.abs(measured) > TOLERANCE_MS ? measured : 0
}

/** Milliseconds since 1970 by the server's clock. A phone's clock may be off, and the undo period is only 15 s. */
export const serverNow = (): number => Date.now() + offsetMs
