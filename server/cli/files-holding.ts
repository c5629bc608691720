import { createReadStream, type Dirent, existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** The two folders that hold personal data. */
export type DataFolders = { dataDir: string; backupDir: string }

/** The name of every file that holds the text, in whatever case, read byte for byte. */
export async function filesHolding(folders: DataFolders, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { file, name } of ownFiles(folders)) if (await isHeldBy(file, text)) found.push(name)
  return found
}

/** All files of DATA_DIR, named from there on, and the backups in a BACKUP_DIR outside, named in full. */
export function ownFiles({ dataDir, backupDir }: DataFolders): { file: string; name: string }[] {
  const inside = allFiles(dataDir).map((file) => ({ file, name: relative(dataDir, file) }))
  if (!existsSync(backupDir) || isInside(backupDir, dataDir)) return inside
  // That folder may hold other people's files.
  const outside = readdirSync(backupDir)
    .filter((name) => name.startsWith('leads-'))
    .map((name) => join(backupDir, name))
  return [...inside, ...outside.map((file) => ({ file, name: file }))]
}

const isInside = (folder: string, parent: string) =>
  existsSync(parent) && `${realpathSync(folder)}${sep}`.startsWith(`${realpathSync(parent)}${sep}`)

/** The files below the folder, in the order of their names; none where it is missing, as it may with PostgreSQL. */
function allFiles(folder: string): string[] {
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
