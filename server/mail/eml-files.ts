import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorFacts } from '../error-facts.ts'
import { syncFolder, unfinishedName } from '../files/sync.ts'

/** The header in which a report (a digest or a list of late leads) lists the references of its leads. */
export const LISTED_LEADS = 'X-Listed-Leads'

/**
 * An email's file name, the same for each attempt to send it. Message-IDs in a format that isn't ours are hashed, because
 * they could contain a path.
 */
export function emlName(messageId: string): string {
  const [, ours] = /^<([\da-z][\w-]{0,99}(?:\.\w{1,20})?)@/i.exec(messageId) ?? []
  return `${ours ?? createHash('sha256').update(messageId).digest('hex')}.eml`
}

/** The file names of an email: the final one, and the temporary one used while writing. */
export function emlNames(messageId: string): string[] {
  const name = emlName(messageId)
  return [name, unfinishedName(name)]
}

/** The names of all .eml files with the address in To or Reply-To, even of emails that aren't in the database. */
export function emlFilesAbout(folder: string, address: string): string[] {
  const about = address.toLowerCase()
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter(
    (name) => /\.eml(?:\.part)?$/.test(name) && addressesOf(join(folder, name)).includes(about),
  )
}

/** The .eml files of reports that list one of these leads. The names of reports begin with "digest-", "late-" or "list-". */
export function reportsListing(folder: string, references: readonly string[]): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const reports = names.filter((name) => /^\.?(?:digest|late|list)-.*\.eml(?:\.part)?$/.test(name))
  return reports.filter((name) => {
    const listed = headerValues(join(folder, name), LISTED_LEADS.toLowerCase()).join()
    return references.some((reference) => listed.includes(reference.toLowerCase()))
  })
}

/** Durably removes files from a folder, and returns how many existed. */
export function removeFiles(folder: string, names: readonly string[]): number {
  let removed = 0
  for (const name of names)
    try {
      rmSync(join(folder, name))
      removed++
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  if (removed > 0) syncFolder(folder)
  return removed
}

/** The addresses in the To and Reply-To headers, in lower case. */
const addressesOf = (file: string) =>
  headerValues(file, 'to|reply-to').flatMap((value) => value.split(/[\s<>,;"]+/))

/** The values of these headers, in lower case. */
function headerValues(file: string, names: string): string[] {
  const [header = ''] = readEml(file)
    .toLowerCase()
    .split(/\r?\n\r?\n/, 1)
  const unfolded = header.replace(/\r?\n[ \t]+/g, ' ')
  return [...unfolded.matchAll(new RegExp(`^(?:${names}):(.*)$`, 'gm'))].map(([, value = '']) => value)
}

/** The content of a file, or an empty string if it was removed or renamed after the folder was listed. */
function readEml(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

const isMissing = (error: unknown) => errorFacts(error).code === 'ENOENT'
