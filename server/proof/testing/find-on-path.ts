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
