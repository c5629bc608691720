import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../files/sync.ts'

/** An email's file name, the same for each attempt to send it. It is never a path. */
export const emlName = (messageId: string): string => `${messageId.replace(/@.*|[^\w.-]/gs, '')}.eml`

/**
 * Durably removes all .eml files of a folder, also half-written ones. Returns how many were
 * removed.
 */
export function removeEmlFiles(folder: string): number {
  if (!existsSync(folder)) return 0
  const names = readdirSync(folder).filter((name) => /\.eml(?:\.part)?$/.test(name))
  for (const name of names) rmSync(join(folder, name), { force: true })
  if (names.length > 0) syncFolder(folder)
  return names.length
}
