import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })

/** Mounts a small file system in memory. */
export function mountMemory(options: string) {
  const path = mkdtempSync(join(tmpdir(), 'website-disk-'))
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path)
  return mounted(path)
}

/** Mounts a real ext4 file system of this size. */
export function mountExt4(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'website-disk-'))
  const image = join(folder, 'image')
  const path = join(folder, 'disk')
  mkdirSync(path)
  run('truncate', '-s', `${megabytes}M`, image)
  run('mkfs.ext4', '-q', '-m', '0', image)
  run('mount', '-o', 'loop', image, path)
  return mounted(path, folder)
}

const mounted = (path: string, folder = path) => ({
  path,
  remount: (options: string) => run('mount', '-o', `remount,${options}`, path),
  [Symbol.dispose]: () => {
    run('umount', '--lazy', path)
    rmSync(folder, { recursive: true, force: true })
  },
})
