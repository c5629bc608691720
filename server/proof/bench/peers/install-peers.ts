import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

const folder = import.meta.dirname

/**
 * Installs the peers (the frameworks that we compare our program with) into this folder, unless they are already there.
 * Returns false if there is no npm, or if its registry can't be reached.
 */
export function installPeers(): boolean {
  if (areInstalled()) return true
  process.stderr.write('Installing the peers (Fastify).\n')
  // Unlike `npm ci`, this works if the registry lacks packages for other systems. It installs the versions of the lock file.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  return spawnSync('npm', args, { cwd: folder, stdio: 'ignore' }).status === 0 && areInstalled()
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

function areInstalled(): boolean {
  const { dependencies } = readJson(join(folder, 'package.json'))
  return isDeepStrictEqual(installedVersions(Object.keys(dependencies)), dependencies)
}

function installedVersions(names: string[]) {
  try {
    const version = (name: string) => readJson(join(folder, 'node_modules', name, 'package.json')).version
    return Object.fromEntries(names.map((name) => [name, version(name)]))
  } catch {
    return {}
  }
}
