import { createReadStream, type Dirent, existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Every file below the folder that holds the text, in whatever case, read byte for byte; paths from the folder on. */
export async function filesHolding(folder: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const file of allFiles(folder)) if (await isHeldBy(file, text)) found.push(relative(folder, file))
  return found
}

/** The files below the folder, in the order of their names; none where it is missing, as it may with PostgreSQL. */
export function allFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Whether the text stands anywhere in the file, in whatever case. */
export async function isHeldBy(file: string, text: string): Promise<boolean> {
  const wanted = text.toLowerCase()
  let tail = ''
  try {
    for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
      const here = tail + String(chunk).toLowerCase()
      if (here.includes(wanted)) return true
      // The text can lie across two chunks.
      tail = here.slice(-wanted.length)
    }
  } catch (error) {
    // Removed since the folder was listed.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return false
}
