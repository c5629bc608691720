import { useEffect, useState } from 'react'

/** Returns a new value once it has stayed the same for `delayMs`. Returns an empty value immediately. */
export function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : delayed
}
