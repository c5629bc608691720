import { useEffect, useState } from 'react'

/** The value once it has not changed for a while; an empty one at once. */
export function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : delayed
}
