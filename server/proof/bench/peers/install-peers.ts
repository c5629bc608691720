import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname

/**
 * Installs the peers (the frameworks that we compare our program with) into this folder, unless
 * they are already there. Returns false if there is no npm, or if its registry can't be reached.
 */
export function installPeers(): boolean {
  if (existsSync(join(folder, 'node_modules/fastify'))) return true
  process.stderr.write('Installing the peers (Fastify).\n')
  // Unlike `npm ci`, this works if the registry lacks packages for other systems. It installs the
  // versions of the lock file.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  return spawnSync('npm', args, { cwd: folder, stdio: 'ignore' }).status === 0
}
