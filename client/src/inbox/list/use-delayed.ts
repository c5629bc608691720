import { useEffect, useState } from 'react'

/** Returns a value once it has stopped changing for a while; an empty value at once. */
export function useDelayed(value: string, delayMs: number): string {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return value === '' ? '' : delayed
}
