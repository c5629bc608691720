import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })

/** Mounts a small file system in memory. */
export function mountMemory(options: string) {
  const path = mkdtempSync(join(tmpdir(), 'website-disk-'))
  run('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path)
  return {
    path,
    remount: (changed: string) => run('mount', '-o', `remount,${changed}`, path),
    [Symbol.dispose]: () => {
      run('umount', '--lazy', path)
      rmSync(path, { recursive: true, force: true })
    },
  }
}
