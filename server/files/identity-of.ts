import { statSync } from 'node:fs'

/** Identifies the file at this path by its device and inode, which stay the same if the file is renamed. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
