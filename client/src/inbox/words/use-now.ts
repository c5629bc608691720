import { useSyncExternalStore } from 'react'
import { serverNow } from '../data/server-clock.ts'

const TICK_MS = 20_000

let now = serverNow()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick() {
  now = serverNow()
  for (const listener of listeners) listener()
}

/** The server's time in milliseconds, updated every 20 s. All ages and deadlines on the page use the same instant. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
