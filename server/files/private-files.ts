import { lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Makes new files of this process inaccessible to other users. */
export const restrictNewFiles = () => process.umask(0o077)

/**
 * When run as root, gives a file to the owner of `other`, because the server may run as that user.
 */
export function giveToOwnerOf(other: string, path: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(other)
  // Don't follow links: that user could have replaced the file with a link to somebody else's file.
  if (uid !== 0) lchownSync(path, uid, gid)
}

/**
 * Creates a folder and any missing parents. When run as root, gives them to the owner of the
 * nearest existing parent.
 */
export function makeFolder(path: string) {
  const target = resolve(path)
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(dirname(target))
  try {
    // Not `recursive`: in /proc, where no folder can be created, Node.js would try forever.
    mkdirSync(target)
  } catch (error) {
    // Another server may have just created it.
    if (!statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
  giveToOwnerOf(dirname(target), target)
}

/**
 * Identifies the file at this path by its device and inode, which stay the same if the file is
 * renamed.
 */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}
