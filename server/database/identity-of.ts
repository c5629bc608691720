import { statSync } from 'node:fs'

/** Identifies a file regardless of its name. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
