import { lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** When run as root, gives a file to the owner of `other`, because the server may run as that user. */
export function giveToOwnerOf(other: string, path: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(other)
  // Don't follow links: that user could have replaced the file with a link to somebody else's file.
  if (uid !== 0) lchownSync(path, uid, gid)
}

/** Creates a folder and any missing parents. When run as root, gives them to the owner of the nearest existing parent. */
export function makeFolder(path: string) {
  const target = resolve(path)
  const firstCreated = mkdirSync(target, { recursive: true })
  if (!firstCreated) return
  const parent = dirname(firstCreated)
  for (let folder = target; folder.length > parent.length; folder = dirname(folder))
    giveToOwnerOf(parent, folder)
}
