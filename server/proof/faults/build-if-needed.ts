import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findUnbuilt } from '../testing/assert-built.ts'

const root = join(import.meta.dirname, '../../..')
const home = join(root, 'client/dist/pages/home.html')

function build() {
  process.stderr.write('The site is not built, or has changed since. Building it first.\n')
  for (const script of ['server/build.ts', 'client/build.ts']) {
    const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}

/** Builds the site if its page is missing, or if its server lacks a change in the source files. */
export function buildIfNeeded(page = home, hasChanged = () => findUnbuilt() !== undefined, run = build) {
  if (!existsSync(page) || hasChanged()) run()
}
