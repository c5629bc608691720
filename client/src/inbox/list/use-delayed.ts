import { useEffect, useState } from 'react'

/** Returns a new value only after it has stayed the same for `delayMs`, but an empty value immediately. */
export function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : delayed
}
