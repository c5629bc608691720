import { UNNOTICED_MS } from './refresh.ts'
import { createSignal } from './signal.ts'

/** Whether the server still hasn't confirmed a change that the page has shown for over a second. */
export const isSavingSlowly = createSignal(false)
let slow = 0

/** Tracks a change until the server has confirmed or rejected it. */
export async function trackChange<Result>(change: Promise<Result>): Promise<Result> {
  let isSlow = false
  const timer = setTimeout(() => {
    isSlow = true
    slow++
    isSavingSlowly.set(true)
  }, UNNOTICED_MS)
  try {
    return await change
  } finally {
    clearTimeout(timer)
    if (isSlow) isSavingSlowly.set(--slow > 0)
  }
}
