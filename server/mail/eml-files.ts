import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorFacts } from '../error-facts.ts'
import { syncFolder, unfinishedName } from '../files/sync.ts'

/** An email's file name, the same for each attempt to send it. It is never a path. */
export const emlName = (messageId: string): string => `${messageId.replace(/@.*|[^\w.-]/gs, '')}.eml`

/** The file names of an email: the final one, and the temporary one used while writing. */
export function emlNames(messageId: string): string[] {
  const name = emlName(messageId)
  return [name, unfinishedName(name)]
}

/** The names of all .eml files in a folder, even of emails that aren't in the database. */
export const emlFilesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => /\.eml(?:\.part)?$/.test(name)) : []

/** The .eml files of digests and lists. Each names several leads. */
export const reportsIn = (folder: string): string[] =>
  emlFilesIn(folder).filter((name) => /^\.?(?:digest|late|list)-/.test(name))

/** Durably removes files from a folder, or only those that contain `text`. Returns how many were removed. */
export function removeFiles(folder: string, names: readonly string[], text = ''): number {
  let removed = 0
  for (const name of names)
    try {
      const file = join(folder, name)
      if (!readFileSync(file, 'latin1').toLowerCase().includes(text.toLowerCase())) continue
      rmSync(file)
      removed++
    } catch (error) {
      if (errorFacts(error).code !== 'ENOENT') throw error
    }
  if (removed > 0) syncFolder(folder)
  return removed
}
