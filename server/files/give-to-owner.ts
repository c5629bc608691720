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
  const whole = resolve(path)
  const made = mkdirSync(whole, { recursive: true })
  if (!made) return
  const parent = dirname(made)
  for (let folder = whole; folder.length > parent.length; folder = dirname(folder))
    giveToOwnerOf(parent, folder)
}
