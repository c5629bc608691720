import { useEffect, useState } from 'react'
import { serverNow } from './api.ts'

const TICK_MS = 20_000

/** The server's time in milliseconds, updated every 20 s or as often as `tickMs` says. */
export function useNow(tickMs = TICK_MS): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), tickMs)
    return () => clearInterval(timer)
  }, [tickMs])
  return now
}

/** Returns a new value once it has stayed the same for `delayMs`. */
export function useDelayed<Value>(value: Value, delayMs: number, first = value): Value {
  const [delayed, setDelayed] = useState(first)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return delayed
}
