import { statSync } from 'node:fs'

/** The same for all names of a file, and for no other file. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
