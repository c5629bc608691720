import { lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** What root makes is for the server, which may be another user: gives it to the owner of `other`. */
export function giveToOwnerOf(other: string, path: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(other)
  // Never through a link: that owner could have put one there.
  if (uid !== 0) lchownSync(path, uid, gid)
}

/** Makes a folder and what is missing above it, all for the owner of the folder that was there. */
export function makeFolder(path: string) {
  const made = mkdirSync(path, { recursive: true })
  if (!made) return
  const parent = dirname(resolve(made))
  for (let folder = resolve(path); folder !== parent; folder = dirname(folder)) giveToOwnerOf(parent, folder)
}
