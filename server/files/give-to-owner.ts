import { lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** As root, gives a file to the owner of `other`, because the server may run as another user. */
export function giveToOwnerOf(other: string, path: string) {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(other)
  // Never follow a link: the owner could have placed it there.
  if (uid !== 0) lchownSync(path, uid, gid)
}

/** Creates a folder and its missing parents, all owned by the owner of the first existing one. */
export function makeFolder(path: string) {
  const whole = resolve(path)
  const made = mkdirSync(whole, { recursive: true })
  if (!made) return
  const parent = dirname(made)
  for (let folder = whole; folder.length > parent.length; folder = dirname(folder))
    giveToOwnerOf(parent, folder)
}
