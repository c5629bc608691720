import { globSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(import.meta.dirname, '../../..')
const ours = fileURLToPath(import.meta.resolve('#server'))
// The JavaScript files, such as start.js, aren't part of a bundle.
const sources = ['server/**/*.ts', 'shared/**/*.ts']
const notBundled = ['**/*.test.ts', '**/dist', 'server/proof']

/** A source file that has changed since the server was built; undefined if the bundle has all changes. */
export function findUnbuilt(bundle = ours, folder = root): string | undefined {
  const builtAt = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return globSync(sources, { cwd: folder, exclude: notBundled }).find(
    (file) => statSync(join(folder, file)).mtimeMs > builtAt,
  )
}

/** Throws if the server isn't built, or has changed since: tests would run an old program. */
export function assertBuilt() {
  const file = findUnbuilt()
  if (file) throw new Error(`${file} is newer than ${relative(root, ours)}. Run: npm run build`)
}
