import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const tried = new Set<string>()

/** Installs Debian packages, trying each only once per run. Needs root and apt-get. Returns whether it installed any. */
export function installPackages(...names: readonly string[]): boolean {
  const wanted = names.filter((name) => !tried.has(name))
  if (wanted.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  for (const name of wanted) tried.add(name)
  process.stderr.write(`Installing for the tests: ${wanted.join(', ')}.\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args: string[]) => spawnSync('apt-get', args, { env }).status === 0
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', ...wanted)
}
