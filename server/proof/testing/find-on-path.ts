import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of these programs that is installed. */
export function findOnPath(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

export const findFirefox = (): string | undefined => findOnPath('firefox-esr', 'firefox')

/** The browser that WebKitGTK's driver controls. It isn't in any folder of `PATH`. */
export const findMiniBrowser = (): string | undefined => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0]

const tried = new Set<string>()

/**
 * Installs Debian packages, trying each only once per run. Needs root and apt-get. Returns whether
 * it installed any.
 */
export function installPackages(...names: readonly string[]): boolean {
  const wanted = names.filter((name) => !tried.has(name))
  if (wanted.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false
  for (const name of wanted) tried.add(name)
  process.stderr.write(`Installing for the tests: ${wanted.join(', ')}.\n`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args: string[]) => spawnSync('apt-get', args, { env }).status === 0
  return run('update', '-qq') && run('install', '-y', '-qq', '--no-install-recommends', ...wanted)
}
