import { statSync } from 'node:fs'

/** Identifies the file at a path: the result changes if another file replaces it, but not if it's moved to another path. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
